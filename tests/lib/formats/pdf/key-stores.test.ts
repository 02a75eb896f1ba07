import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decryptRc2 } from "#lib/formats/pdf/signatures/rc2.ts";
import { readKeyStore } from "#lib/formats/pdf/signatures/read-key-store.ts";

const folder = mkdtempSync(join(tmpdir(), "key-stores-"));

const openssl = (...args: string[]) =>
  execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });

beforeAll(() => {
  openssl(
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-keyout",
    "key.pem",
    "-out",
    "certificate.pem",
    "-days",
    "30",
    "-subj",
    "/CN=Ada",
  );
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Reads a key store at a time after the certificate was made. */
const read = (store: Buffer, password: string) => readKeyStore(store, password, new Date());

function makeStore(...options: string[]): Buffer {
  const source = ["-inkey", "key.pem", "-in", "certificate.pem", "-out", "store.p12"];
  openssl("pkcs12", "-export", ...source, ...options);
  return readFileSync(join(folder, "store.p12"));
}

describe("a PKCS#12 file of openssl is read", () => {
  test.each([
    ["without a password", ["-passout", "pass:"]],
    ["with a password of other letters", ["-passout", "pass:gehéim"]],
    ["without a checksum", ["-passout", "pass:x", "-nomac"]],
    ["with SHA-512 and AES-128", ["-macalg", "sha512", "-keypbe", "AES-128-CBC"]],
    ["with open certificates", ["-certpbe", "NONE"]],
    ["as old programs write it", ["-legacy"]],
    ["with Triple DES", ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES"]],
    [
      "with long keys of RC2",
      ["-legacy", "-keypbe", "PBE-SHA1-RC2-128", "-certpbe", "PBE-SHA1-2DES"],
    ],
    ["with Triple DES of PBES2", ["-keypbe", "AES-192-CBC", "-certpbe", "DES-EDE3-CBC"]],
  ])("%s", (_, options) => {
    const given = options[options.indexOf("-passout") + 1]?.slice("pass:".length);
    const password = options.includes("-passout") ? (given ?? "") : "x";
    const all = options.includes("-passout") ? options : ["-passout", "pass:x", ...options];
    const store = makeStore(...all);
    const { key, certificate } = read(store, password);
    expect(certificate.node.subject).toBe("CN=Ada");
    expect(certificate.node.checkPrivateKey(key)).toBe(true);
    // Without a checksum, one of 256 wrong keys leaves the padding valid, and the rest has no structure.
    expect(() => read(store, "other")).toThrow(/not the password|damaged/);
  });
});

test("an encryption that no program should use is reported as such", () => {
  const store = makeStore("-legacy", "-passout", "pass:x", "-keypbe", "PBE-SHA1-RC4-128");
  expect(() => read(store, "x")).toThrow("encryption of the certificate file");
});

test("a file that is cut or none is corrupt", () => {
  const store = makeStore("-passout", "pass:x");
  for (const bytes of [store.subarray(0, store.length - 9), Buffer.alloc(0), Buffer.from("3003")]) {
    expect(() => read(bytes, "x")).toThrow("damaged or is not PKCS#12");
  }
});

test("RC2 decrypts what openssl encrypts, and finds wrong padding", () => {
  for (const [name, bytes] of [["rc2-40-cbc", 5] as const, ["rc2-cbc", 16] as const]) {
    for (const length of [0, 7, 8, 500]) {
      const [key, iv, plain] = [bytes, 8, length].map((size) => randomBytes(size));
      if (!key || !iv || !plain) throw new Error("no bytes");
      const data = execFileSync(
        "openssl",
        [
          "enc",
          `-${name}`,
          "-provider",
          "legacy",
          "-provider",
          "default",
          "-K",
          key.toString("hex"),
          "-iv",
          iv.toString("hex"),
        ],
        { input: plain },
      );
      expect(decryptRc2(key, iv, data)).toEqual(plain);
      expect(decryptRc2(key, iv, data.subarray(1))).toBeUndefined();
    }
  }
});
