import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parsePdfsig } from "#lib/operations/document/verify-signatures/pdfsig.ts";
import { runOperation, temporaryWorkFolder } from "#tests/support/operation.ts";
import { verifySignatures } from "./index.ts";

// Signatures of other kinds are verified in the tests of document/sign-pdf, which make them.

const signed = readFileSync("public/samples/inputs/contract-signed.pdf");

async function verify(bytes: Buffer) {
  const path = join(temporaryWorkFolder().root, "signed.pdf");
  writeFileSync(path, bytes);
  const { result, outputs, warnings } = await runOperation(verifySignatures, { path, type: "pdf" });
  expect(JSON.parse(readFileSync(outputs[0]?.path ?? "", "utf8"))).toEqual(result);
  // It fails for a file without signatures.
  const report = spawnSync("pdfsig", ["-nocert", path], { encoding: "utf8" }).stdout;
  // The schema of the operation's result.
  const signatures = result?.signatures as { valid: boolean; problem: string | null }[];
  return { signatures, warnings, pdfsig: parsePdfsig(report) };
}

test("reports who signed, when, why and how", async () => {
  const { signatures, warnings, pdfsig } = await verify(signed);
  expect(warnings).toEqual([]);
  expect(pdfsig.get("Signature1")).toBe(true);
  expect(signatures).toMatchObject([
    {
      field: "Signature1",
      signer: "Maria Jensen",
      issuer: "Maria Jensen",
      valid: true,
      reason: "I approve this agreement",
      location: "Hamburg",
      problem: null,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      algorithm: "RSA 2048, SHA-256",
      format: "ETSI.CAdES.detached",
      covers_whole_document: true,
      changed_after: [],
      trust: "self_signed",
      certificate: { subject: "C=DE, O=Maria Jensen Consulting, CN=Maria Jensen", expired: false },
    },
  ]);
});

test("finds one changed byte, before and after the signature", async () => {
  const places = [
    ["/Producer (", 1],
    ["/Name <", 0x20],
    ["/M (D:2", 1],
  ] as const;
  for (const [text, mask] of places) {
    const bytes = Buffer.from(signed);
    const at = bytes.lastIndexOf(text) + text.length;
    expect(at).toBeGreaterThan(text.length);
    bytes[at] = (bytes[at] ?? 0) ^ mask;
    const { signatures, pdfsig, warnings } = await verify(bytes);
    expect(signatures[0]?.valid).toBe(false);
    expect(signatures[0]?.problem).toMatch(/changed since/);
    expect(pdfsig.get("Signature1")).toBe(false);
    expect(warnings).toEqual([]);
  }
});

test("finds a changed signature and a range that leaves out more than the signature", async () => {
  const changed = Buffer.from(signed);
  const contents = changed.indexOf("/Contents <") + 2500;
  changed[contents] = changed[contents] === 0x61 ? 0x62 : 0x61;
  const first = await verify(changed);
  expect(first.signatures[0]?.valid).toBe(false);
  const text = signed.toString("latin1");
  const wider = text.replace(
    /\/ByteRange \[0 (\d+)/,
    (_, end) => `/ByteRange [0 ${Number(end) - 9}`,
  );
  const { signatures } = await verify(Buffer.from(wider, "latin1"));
  expect(signatures).toMatchObject([{ valid: false, problem: expect.stringContaining("range") }]);
});

test("reports what was changed after the signature", async () => {
  const offset = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(signed.toString("latin1"))?.[1];
  const contents = /\/Contents (\d+) 0 R/.exec(signed.toString("latin1"))?.[1] ?? "";
  const root = /\/Root (\d+) 0 R/.exec(signed.toString("latin1"))?.[1] ?? "";
  const stream = "<< /Length 26 >>\nstream\n0 0 1 rg 0 0 400 400 re f \nendstream";
  const object = `${contents} 0 obj\n${stream}\nendobj\n`;
  const row = `${signed.length}`.padStart(10, "0");
  const table = `xref\n${contents} 1\n${row} 00000 n \ntrailer\n<< /Size 99 /Root ${root} 0 R /Prev ${offset} >>\n`;
  const end = `startxref\n${signed.length + object.length}\n%%EOF\n`;
  const { signatures } = await verify(Buffer.concat([signed, Buffer.from(object + table + end)]));
  const expected = { valid: true, covers_whole_document: false, changed_after: ["pages"] };
  expect(signatures).toMatchObject([expected]);
});

test("a PDF without signatures has none, and a damaged or protected one is reported", async () => {
  const unsigned = readFileSync("public/samples/inputs/contract.pdf");
  expect((await verify(unsigned)).signatures).toEqual([]);
  await expect(verify(unsigned.subarray(0, 200))).rejects.toMatchObject({ code: "corrupt" });
  const locked = readFileSync("public/samples/inputs/contract-protected.pdf");
  await expect(verify(locked)).rejects.toMatchObject({ code: "encrypted" });
  expect(verifySignatures.params.safeParse({ field: "x" }).success).toBe(false);
});
