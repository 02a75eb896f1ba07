/** PDFs written byte by byte. */

export interface PdfSource {
  /** Bodies of the objects 1, 2, 3 … */
  readonly objects: readonly (string | Buffer)[];
  /** What the trailer has beside `/Size` and `/Root 1 0 R`. */
  readonly trailer?: string;
  /** What `/Size` claims. */
  readonly size?: number;
}

/** A PDF with a classic cross-reference table. */
export function pdfOf({ objects, trailer = "", size }: PdfSource): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  const rows: string[] = [];
  let offset = parts[0]?.length ?? 0;
  for (const [index, body] of objects.entries()) {
    const text = Buffer.isBuffer(body) ? body : Buffer.from(body, "latin1");
    const object = [Buffer.from(`${index + 1} 0 obj\n`), text, Buffer.from("\nendobj\n")];
    rows.push(`${String(offset).padStart(10, "0")} 00000 n \n`);
    parts.push(...object);
    offset += object.reduce((sum, part) => sum + part.length, 0);
  }
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${rows.join("")}`;
  const end = `trailer\n<< /Size ${size ?? count} /Root 1 0 R ${trailer} >>\nstartxref\n${offset}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(table + end)]);
}

export function pdfStream(dictionary: string, data: Buffer | string): Buffer {
  const bytes = Buffer.from(data);
  const head = `<< ${dictionary} /Length ${bytes.length} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), bytes, Buffer.from("\nendstream")]);
}

/** A PDF whose catalogue, pages and page lie in one object stream; `pack` gives its stored form. */
export function pdfOfObjectStream(filter: string, pack: (content: Buffer) => Buffer): Buffer {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] >>",
  ];
  let at = 0;
  const index = objects.map((object, position) => {
    const entry = `${position + 1} ${at}`;
    at += object.length + 1;
    return entry;
  });
  const first = `${index.join(" ")} `;
  const content = pack(Buffer.from(`${first}${objects.join(" ")} `));
  const head = Buffer.from("%PDF-1.7\n4 0 obj\n");
  const stream = pdfStream(`/Type /ObjStm /N 3 /First ${first.length} ${filter}`, content);
  const start = head.length + stream.length + 8;
  // Type, offset or stream, generation or place in it: 1, 4 and 2 bytes.
  const row = (type: number, second: number, third: number) => {
    const bytes = Buffer.alloc(7);
    bytes.writeUInt8(type);
    bytes.writeUInt32BE(second, 1);
    bytes.writeUInt16BE(third, 5);
    return bytes;
  };
  const inside = [0, 1, 2].map((place) => row(2, 4, place));
  const rows = [row(0, 0, 65_535), ...inside, row(1, 9, 0), row(1, start, 0)];
  const table = pdfStream("/Type /XRef /Size 6 /W [1 4 2] /Root 1 0 R", Buffer.concat(rows));
  return Buffer.concat([
    ...[head, stream, Buffer.from("\nendobj\n")],
    ...[Buffer.from("5 0 obj\n"), table, Buffer.from(`\nendobj\nstartxref\n${start}\n%%EOF\n`)],
  ]);
}
