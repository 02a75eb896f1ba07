import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { env } from "#lib/env.ts";
import { readCms } from "#lib/formats/pdf/signatures/read-cms.ts";
import { verifySignatures } from "#lib/operations/document/verify-signatures/index.ts";
import type { SignatureResult } from "#lib/operations/document/verify-signatures/result.ts";
import { type Issued, issue, keyUsage } from "#tests/samples/pdf/certificates.ts";
import { makeTimestampToken } from "#tests/samples/pdf/timestamp-tokens.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { issueClock, respondWithOpenssl, serveTimestamps } from "#tests/servers/timestamp.ts";
import { runOperation } from "#tests/support/operation.ts";
import { signPdf } from "./index.ts";
import { addTimestamp } from "./make-cms.ts";

const settings: { TIMESTAMP_URL?: string | undefined; SIGNATURE_ROOTS?: string | undefined } = env;

const folder = mkdtempSync(join(tmpdir(), "timestamps-"));
const openssl = (...args: string[]) => execProgram("openssl", args, { cwd: folder });

function save(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

let root: Issued;
let clock: Issued;
let store: string;

beforeAll(async () => {
  root = await issue({ name: "Root", isAuthority: true });
  clock = await issueClock(root);
  const authority = await issue({ name: "Authority", issuer: root, isAuthority: true });
  const signer = await issue({
    name: "Ada",
    issuer: authority,
    usage: keyUsage.sign,
    purposes: ["document"],
    to: "2040-01-01",
  });
  save("root.pem", root.pem);
  save("clock.pem", clock.pem);
  save("signer.pem", signer.pem);
  save("authority.pem", authority.pem);
  save("key.pem", signer.key.export({ format: "pem", type: "pkcs8" }) as string);
  store = join(folder, "store.p12");
  openssl(
    "pkcs12",
    "-export",
    "-inkey",
    "key.pem",
    "-in",
    "signer.pem",
    "-certfile",
    "authority.pem",
    "-passout",
    "pass:x",
    "-out",
    "store.p12",
  );
  return () => rmSync(folder, { recursive: true });
});

afterEach(() => {
  settings.TIMESTAMP_URL = undefined;
  settings.SIGNATURE_ROOTS = undefined;
});

async function sign(params: Record<string, unknown> = {}): Promise<string> {
  const sample = { path: "public/samples/inputs/contract.pdf", type: "pdf" } as const;
  const certificate = { path: store, type: "p12" } as const;
  const all = { password: "x", ...params };
  const { outputs } = await runOperation(signPdf, sample, all, { certificate });
  return save("signed.pdf", readFileSync(outputs[0]?.path ?? ""));
}

async function verify(path: string): Promise<SignatureResult> {
  const { result } = await runOperation(verifySignatures, { path, type: "pdf" });
  // The schema of verify-signatures.
  const [signature] = (result?.signatures ?? []) as SignatureResult[];
  if (!signature) throw new Error("no signature");
  return signature;
}

async function startServer(signer = clock): Promise<void> {
  settings.TIMESTAMP_URL = await serveTimestamps((request) => respondWithOpenssl(signer, request));
  settings.SIGNATURE_ROOTS = join(folder, "root.pem");
}

let signedFile: string | undefined;

/** A signed PDF with a time stamp of `clock`, made once for all tests that read it. The server runs. */
async function signOnce(): Promise<string> {
  await startServer();
  signedFile ??= save("signed-once.pdf", readFileSync(await sign()));
  return signedFile;
}

function contentsOf(path: string) {
  const bytes = readFileSync(path);
  const start = bytes.indexOf("/Contents <") + "/Contents <".length;
  const end = bytes.indexOf(">", start);
  const signed = Buffer.concat([bytes.subarray(0, start - 1), bytes.subarray(end + 1)]);
  return { bytes, start, signed, cms: Buffer.from(bytes.toString("latin1", start, end), "hex") };
}

test("the time stamp of the operator's server is added, and openssl and pdfsig accept it", async () => {
  const path = await signOnce();
  const signature = await verify(path);
  expect(signature).toMatchObject({
    valid: true,
    trust: "trusted",
    trust_problem: null,
    has_timestamp: true,
    signer: "Ada",
    issuer: "Authority",
    covers_whole_document: true,
    timestamp: { authority: "Clock", valid: true, problem: null, trust: "trusted" },
  });
  const stamped = Date.parse(signature.timestamp?.time ?? "");
  expect(Math.abs(stamped - Date.now())).toBeLessThan(120_000);
  expect(execProgram("pdfsig", ["-nocert", path], { encoding: "utf8" })).toContain("is Valid");
  const { cms, signed } = contentsOf(path);
  const { signature: value, timestamp } = readCms(cms);
  save("cms.der", cms);
  save("signed", signed);
  save("signature", value);
  save("token.der", timestamp ?? "");
  openssl(
    "cms",
    "-verify",
    "-binary",
    "-inform",
    "DER",
    "-in",
    "cms.der",
    "-content",
    "signed",
    "-CAfile",
    "root.pem",
    "-purpose",
    "any",
    "-out",
    "verified",
  );
  const checked = openssl(
    "ts",
    "-verify",
    "-token_in",
    "-in",
    "token.der",
    "-data",
    "signature",
    "-CAfile",
    "root.pem",
    "-untrusted",
    "clock.pem",
  );
  expect(checked.toString()).toContain("Verification: OK");
});

test("there is none on request or without a server, and a request for one is rejected there", async () => {
  const rejects = (params: Record<string, unknown>) =>
    signPdf.rejects?.("pdf", { password: "x", ...params }, 0);
  expect(rejects({ timestamp: true })).toMatch(/`timestamp` must be false.*TIMESTAMP_URL/);
  expect(rejects({})).toBeUndefined();
  expect(await verify(await sign())).toMatchObject({ has_timestamp: false, timestamp: null });
  await startServer();
  expect(rejects({ timestamp: true })).toBeUndefined();
  const signature = await verify(await sign({ timestamp: false }));
  expect(signature).toMatchObject({ has_timestamp: false, timestamp: null, trust: "trusted" });
});

describe("a time stamp that proves nothing", () => {
  test("of another signature is not valid, and the signature stays so", async () => {
    const token = readCms(contentsOf(await signOnce()).cms).timestamp;
    const path = await sign();
    const { bytes, start, cms } = contentsOf(path);
    bytes.write(addTimestamp(cms, token ?? Buffer.alloc(0)).toString("hex"), start, "latin1");
    expect(await verify(save("swapped.pdf", bytes))).toMatchObject({
      valid: true,
      trust: "trusted",
      has_timestamp: true,
      timestamp: { valid: false, problem: expect.stringMatching(/another sig/), trust: null },
    });
  });

  test("with a changed byte is not valid, or damaged", async () => {
    const { bytes, start, cms } = contentsOf(await signOnce());
    const token = readCms(cms).timestamp ?? Buffer.alloc(0);
    const contentType = Buffer.from("060b2a864886f70d0109100104", "hex");
    for (const [place, problem] of [
      [token.length - 5, /not valid/],
      [token.indexOf(contentType) + contentType.length - 1, /format that is not supported, or is/],
    ] as const) {
      const at = start + 2 * (cms.indexOf(token) + place);
      const changed = Buffer.from(bytes);
      const value = Number.parseInt(changed.toString("latin1", at, at + 2), 16);
      changed.write((value ^ 1).toString(16).padStart(2, "0"), at, "latin1");
      expect(await verify(save("changed.pdf", changed))).toMatchObject({
        valid: true,
        timestamp: { valid: false, problem: expect.stringMatching(problem) },
      });
    }
  });

  test("after the end of the certificate shows that it was not valid, one of an invalid clock nothing", async () => {
    const { bytes, start, cms } = contentsOf(await signOnce());
    for (const [time, problem] of [
      ["2039-06-01T00:00:00.000Z", null],
      ["2041-01-01T00:00:00.000Z", /of Ada expired on 2040-01-01/],
      ["2019-01-01T00:00:00.000Z", null],
    ] as const) {
      const token = await makeTimestampToken(clock, readCms(cms).signature, new Date(time));
      const stamped = Buffer.from(bytes);
      const digits = addTimestamp(cms, token).toString("hex");
      stamped.write(digits.padEnd(2 * cms.length, "0"), start, "latin1");
      const isOfClock = time > "2020";
      expect(await verify(save("stamped.pdf", stamped))).toMatchObject({
        valid: true,
        trust: problem ? "invalid_certificate" : "trusted",
        trust_problem: problem && expect.stringMatching(problem),
        timestamp: {
          time,
          valid: true,
          authority: "Clock",
          trust: isOfClock ? "trusted" : "invalid_certificate",
          trust_problem: isOfClock ? null : expect.stringMatching(/Clock is valid only from 2020/),
        },
      });
    }
  });

  test("of an unknown authority is not trusted", async () => {
    const other = await issue({ name: "Other", isAuthority: true });
    await startServer(await issueClock(other));
    expect(await verify(await sign())).toMatchObject({
      trust: "trusted",
      timestamp: { valid: true, trust: "unknown_issuer" },
    });
  });
});

describe("a server that fails is not the caller's fault", () => {
  test.each<[string, (request: Buffer) => Promise<Buffer>]>([
    ["no ASN.1", async () => Buffer.from("<html>")],
    ["a status without a time stamp", async () => Buffer.from("30053003020102", "hex")],
    ["a time stamp of other bytes", (request) => respondWithOpenssl(clock, changeDigest(request))],
  ])("%s", async (_, respond) => {
    settings.TIMESTAMP_URL = await serveTimestamps(respond);
    await expect(sign()).rejects.toMatchObject({ code: "internal" });
  });

  test("no server", async () => {
    settings.TIMESTAMP_URL = "http://127.0.0.1:9/";
    await expect(sign()).rejects.toThrow("the time stamp server did not respond");
  });
});

/** The digest of 32 bytes follows the tag and the length of an octet string. */
function changeDigest(request: Buffer): Buffer {
  const changed = Buffer.from(request);
  const at = changed.indexOf(Buffer.from("0420", "hex")) + 2;
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}
