import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** PKCS#12 files, made by openssl. */

export interface KeyStoreOptions {
  readonly key?: "rsa" | "ec" | "ed25519" | "none";
  readonly name?: string;
  readonly password?: string;
  /** Whether the certificate expired in 2020. */
  readonly expired?: boolean;
  /** Whether it has the encryption that older programs write. */
  readonly legacy?: boolean;
}

const algorithms = {
  rsa: ["rsa:2048"],
  none: ["rsa:2048"],
  ec: ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"],
  ed25519: ["ed25519"],
} as const;

/** Makes a self-signed certificate and its key in `folder`, and returns the path of the file. */
export function makeKeyStore(folder: string, options: KeyStoreOptions = {}): string {
  const { key = "ec", name = "Ada Ødegård", password = "secret", expired, legacy } = options;
  const [keyPath, certificate, store] = ["key.pem", "certificate.pem", "store.p12"].map((file) =>
    join(folder, `${key}-${expired ? "expired" : "valid"}-${file}`),
  ) as [string, string, string];
  const run = (...args: string[]) => execFileSync("openssl", args, { stdio: "pipe" });
  const subject = ["-utf8", "-subj", `/O=Example/CN=${name}`];
  run(
    "req",
    "-x509",
    "-newkey",
    ...algorithms[key],
    "-nodes",
    "-keyout",
    keyPath,
    "-out",
    certificate,
    "-days",
    "30",
    ...subject,
  );
  if (expired) expire(run, folder, keyPath, certificate);
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password);
  const source = key === "none" ? ["-nokeys"] : ["-inkey", keyPath];
  const old = legacy ? ["-legacy"] : [];
  run(
    "pkcs12",
    "-export",
    ...old,
    ...source,
    "-in",
    certificate,
    "-passout",
    `file:${passwordFile}`,
    "-out",
    store,
  );
  return store;
}

/** Replaces the certificate by one for a week of 2020. */
function expire(
  run: (...args: string[]) => void,
  folder: string,
  key: string,
  certificate: string,
) {
  const request = join(folder, "request.pem");
  const settings = join(folder, "ca.cnf");
  writeFileSync(join(folder, "index.txt"), "");
  writeFileSync(
    settings,
    [
      "[ca]",
      "default_ca = self",
      "[self]",
      `database = ${join(folder, "index.txt")}`,
      `new_certs_dir = ${folder}`,
      "rand_serial = yes",
      "default_md = sha256",
      "policy = any",
      "[any]",
      "organizationName = optional",
      "commonName = supplied",
    ].join("\n"),
  );
  run("x509", "-x509toreq", "-in", certificate, "-signkey", key, "-out", request);
  run(
    "ca",
    "-batch",
    "-selfsign",
    "-utf8",
    "-config",
    settings,
    "-keyfile",
    key,
    "-startdate",
    "20200101000000Z",
    "-enddate",
    "20200108000000Z",
    "-in",
    request,
    "-out",
    certificate,
    "-notext",
  );
}
