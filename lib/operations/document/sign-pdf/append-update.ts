import { createHash, randomBytes } from "node:crypto";
import {
  PDFArray,
  type PDFDocument,
  PDFHexString,
  type PDFObject,
  PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import { DamagedDataError } from "#lib/media/damaged-data.ts";

/** Incremental updates (ISO 32000-1, 7.5.6): objects appended to a file whose bytes do not change. */

/** The offset of the last cross-reference section; undefined if the file has none at that offset. */
export function findCrossReferences(
  bytes: Buffer,
): { offset: number; isTable: boolean } | undefined {
  if (!bytes.subarray(0, 5).equals(Buffer.from("%PDF-"))) return undefined;
  const tail = bytes.toString("latin1", Math.max(0, bytes.length - 2048));
  const offset = Number([...tail.matchAll(/startxref\s+(\d+)\s+%%EOF/g)].at(-1)?.[1]);
  if (!Number.isSafeInteger(offset) || offset <= 0) return undefined;
  const start = bytes.toString("latin1", offset, offset + 40);
  if (/^xref\b/.test(start)) return { offset, isTable: true };
  return /^\d+\s+\d+\s+obj\b/.test(start) ? { offset, isTable: false } : undefined;
}

interface Update {
  readonly document: PDFDocument;
  readonly original: Buffer;
  readonly changed: readonly PDFRef[];
}

/** The whole file with the changed objects of `document` at its end. */
export function appendUpdate({ document, original, changed }: Update): Buffer {
  const found = findCrossReferences(original);
  if (!found) throw new DamagedDataError("the file has no cross-reference section");
  const { context } = document;
  const parts = [original, Buffer.from("\n")];
  let size = original.length + 1;
  const rows: { ref: PDFRef; offset: number }[] = [];
  const add = (ref: PDFRef, object: PDFObject) => {
    const body = Buffer.alloc(object.sizeInBytes());
    object.copyBytesInto(body, 0);
    const head = Buffer.from(`${ref.objectNumber} ${ref.generationNumber} obj\n`);
    const bytes = Buffer.concat([head, body, Buffer.from("\nendobj\n")]);
    rows.push({ ref, offset: size });
    parts.push(bytes);
    size += bytes.length;
  };
  for (const ref of changed) {
    const object = context.lookup(ref);
    if (object) add(ref, object);
  }
  const { Root, Info } = context.trailerInfo;
  const trailer = context.obj({ Prev: found.offset });
  if (Root) trailer.set(context.obj("Root"), Root);
  if (Info) trailer.set(context.obj("Info"), Info);
  trailer.set(context.obj("ID"), context.obj(fileIds(document, original)));
  const start = size;
  if (found.isTable) {
    trailer.set(context.obj("Size"), context.obj(context.largestObjectNumber + 1));
    // One byte for each character, as strings such as the identifier are read.
    parts.push(Buffer.from(`${tableOf(rows)}trailer\n${trailer.toString()}\n`, "latin1"));
  } else {
    const ref = PDFRef.of(context.largestObjectNumber + 1);
    const all = [...rows, { ref, offset: size }].toSorted(
      (a, b) => a.ref.objectNumber - b.ref.objectNumber,
    );
    const index = all.flatMap((row) => [row.ref.objectNumber, 1]);
    // Type, offset and generation in 1, 5 and 2 bytes.
    const table = Buffer.concat(
      all.map((row) => {
        const bytes = Buffer.alloc(8);
        bytes.writeUInt8(1);
        bytes.writeUIntBE(row.offset, 1, 5);
        bytes.writeUInt16BE(row.ref.generationNumber, 6);
        return bytes;
      }),
    );
    const stream = context.stream(table, { Type: "XRef", W: [1, 5, 2], Index: index });
    for (const [name, value] of trailer.entries()) stream.dict.set(name, value);
    stream.dict.set(context.obj("Size"), context.obj(ref.objectNumber + 1));
    add(ref, stream);
  }
  return Buffer.concat([...parts, Buffer.from(`startxref\n${start}\n%%EOF\n`)]);
}

function tableOf(rows: readonly { ref: PDFRef; offset: number }[]): string {
  const sections = rows
    .toSorted((a, b) => a.ref.objectNumber - b.ref.objectNumber)
    .map(({ ref, offset }) => {
      const at = `${offset}`.padStart(10, "0");
      const generation = `${ref.generationNumber}`.padStart(5, "0");
      return `${ref.objectNumber} 1\n${at} ${generation} n \n`;
    });
  return `xref\n${sections.join("")}`;
}

/** The first identifier stays, the second one changes with the file. */
function fileIds({ context }: PDFDocument, original: Buffer): PDFObject[] {
  const given = context.lookup(context.trailerInfo.ID);
  const first = given instanceof PDFArray ? given.lookup(0) : undefined;
  const hash = createHash("sha256").update(original).digest("hex").slice(0, 32);
  const kept =
    first instanceof PDFHexString || first instanceof PDFString ? first : PDFHexString.of(hash);
  return [kept, PDFHexString.of(randomBytes(16).toString("hex"))];
}
