import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hash } from "#lib/operations/pipeline/hash/index.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation } from "#tests/support/operation.ts";
import { temporaryFolder } from "#tests/support/processes.ts";

const everything = "md5,sha1,sha256,sha384,sha512,sha3-256,sha3-512,blake2b,blake2s,crc32".split(
  ",",
);

/** Checksums by Python, whose hashlib has names of its own. */
const python = `
import hashlib, json, sys, zlib
data = open(sys.argv[1], "rb").read()
names = {"sha3-256": "sha3_256", "sha3-512": "sha3_512"}
found = {n: hashlib.new(names.get(n, n), data).hexdigest() for n in sys.argv[2:] if n != "crc32"}
print(json.dumps({**found, "crc32": "%08x" % zlib.crc32(data)}))
`;

async function makeFile(bytes: Buffer): Promise<string> {
  const path = join(await temporaryFolder(), "file.bin");
  writeFileSync(path, bytes);
  return path;
}

test("every algorithm gives what Python computes, also of more than one piece", async () => {
  const path = await makeFile(Buffer.alloc(3_000_001, "0123456789 abc"));
  const sample = { path, type: "unknown" } as const;
  const { outputs, result } = await runOperation(hash, sample, { algorithms: everything });
  const expected = execProgram("python3", ["-c", python, path, ...everything]).toString();
  expect(result).toEqual({ bytes: 3_000_001, ...JSON.parse(expected) });
  const [output] = outputs;
  expect(output?.extension).toBe("json");
  expect(JSON.parse(readFileSync(output?.path ?? "", "utf8"))).toEqual(result);
});

test("SHA-256 is the default; a file of any type and of one byte has it", async () => {
  const path = await makeFile(Buffer.from("a"));
  const { result } = await runOperation(hash, { path, type: "pdf" });
  const sha256 = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";
  expect(result).toEqual({ bytes: 1, sha256 });
});

test("a name is hashed once, and zeros in front are kept", async () => {
  // The CRC-32 of this text begins with a zero.
  const path = await makeFile(Buffer.from("mediamill 12"));
  const params = { algorithms: "crc32, crc32" };
  const { result } = await runOperation(hash, { path, type: "txt" }, params);
  const expected = execProgram("python3", ["-c", python, path]).toString();
  expect(result).toEqual({ bytes: 12, ...JSON.parse(expected) });
});

test.each(["", "sha-256", "sha256;md5", [], ["md5", "md6"], 256])("%j is rejected", (value) => {
  expect(hash.params.safeParse({ algorithms: value }).success).toBe(false);
});
