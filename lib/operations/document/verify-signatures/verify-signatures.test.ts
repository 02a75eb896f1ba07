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

const source = signed.toString("latin1");
const root = /\/Root (\d+) 0 R/.exec(source)?.[1] ?? "";

/** The last object of the signed PDF with this number. */
const objectOf = (number: string) =>
  [...source.matchAll(new RegExp(`^${number} 0 obj\\n([\\s\\S]*?)\\nendobj`, "gm"))].at(-1)?.[1] ??
  "";

const pageNumber =
  [...source.matchAll(/^(\d+) 0 obj\n(?:(?!endobj)[\s\S])*?\/Type \/Page\b/gm)].at(-1)?.[1] ?? "";

/** The signed PDF with another revision, in which an object has new content. */
function update(number: string, content: string): Buffer {
  const offset = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(source)?.[1];
  const object = `${number} 0 obj\n${content}\nendobj\n`;
  const row = `${signed.length}`.padStart(10, "0");
  const table = `xref\n${number} 1\n${row} 00000 n \ntrailer\n<< /Size 99 /Root ${root} 0 R /Prev ${offset} >>\n`;
  const end = `startxref\n${signed.length + object.length}\n%%EOF\n`;
  return Buffer.concat([signed, Buffer.from(object + table + end, "latin1")]);
}

test("reports what was changed after the signature", async () => {
  const contents = /\/Contents (\d+) 0 R/.exec(source)?.[1] ?? "";
  const page = objectOf(pageNumber);
  const square = "<< /Type /Annot /Subtype /Square /Rect [0 0 400 400] /IC [1 1 1] >>";
  const cases = [
    [contents, "<< /Length 26 >>\nstream\n0 0 1 rg 0 0 400 400 re f \nendstream", ["pages"]],
    [pageNumber, page.replace(/\/Contents \d+/, `/Contents ${root}`), ["pages"]],
    [pageNumber, page.replace("/Type", "/CropBox [0 0 9 9] /Rotate 180 /Type"), ["pages"]],
    [pageNumber, page.replace(/\/Annots \[/, `$&${square} `), ["annotations"]],
    [pageNumber, page.replace(/\/Annots \[[^\]]*\]/, ""), ["signatures"]],
    [pageNumber, page.replace("/Tabs /S", "/Tabs /R"), []],
    [root, objectOf(root).replace("/Type", "/OpenAction [] /Type"), ["structure"]],
  ] as const;
  for (const [number, content, changes] of cases) {
    expect(content).not.toBe(objectOf(number));
    const { signatures } = await verify(update(number, content));
    const expected = { valid: true, covers_whole_document: false, changed_after: changes };
    expect(signatures, content).toMatchObject([expected]);
  }
});

test("a PDF without signatures has none, and a damaged or protected one is reported", async () => {
  const unsigned = readFileSync("public/samples/inputs/contract.pdf");
  expect((await verify(unsigned)).signatures).toEqual([]);
  await expect(verify(unsigned.subarray(0, 200))).rejects.toMatchObject({ code: "corrupt" });
  const locked = readFileSync("public/samples/inputs/contract-protected.pdf");
  await expect(verify(locked)).rejects.toMatchObject({ code: "encrypted" });
  expect(verifySignatures.params.safeParse({ field: "x" }).success).toBe(false);
});
