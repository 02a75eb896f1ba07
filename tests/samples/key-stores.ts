import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import forge from "node-forge";

/** PKCS#12 files, made by openssl. */

export interface KeyStoreOptions {
  readonly key?: "rsa" | "ec" | "ed25519" | "none";
  readonly name?: string;
  readonly password?: string;
  /** Whether the certificate, of an RSA key, expired in 2020. */
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
  if (expired) expire(keyPath, certificate);
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

/** Replaces the certificate by one for a week of 2020. The key must be RSA. */
function expire(key: string, certificate: string): void {
  const privateKey = forge.pki.privateKeyFromPem(readFileSync(key, "utf8"));
  const given = forge.pki.certificateFromPem(readFileSync(certificate, "utf8"));
  given.validity.notBefore = new Date("2020-01-01T00:00:00Z");
  given.validity.notAfter = new Date("2020-01-08T00:00:00Z");
  given.sign(privateKey, forge.md.sha256.create());
  writeFileSync(certificate, forge.pki.certificateToPem(given));
}
