/** PDFs written byte by byte. */

export interface PdfSource {
  /** Contents of the objects 1, 2, 3 and so on. */
  readonly objects: readonly (string | Buffer)[];
  /** Trailer entries in addition to `/Size` and `/Root 1 0 R`. */
  readonly trailer?: string;
  /** The declared `/Size`. */
  readonly size?: number;
}

/** Makes a PDF with a cross-reference table. */
export function makePdfBytes({ objects, trailer = "", size }: PdfSource): Buffer {
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

/** Makes a stream object. */
export function pdfStream(dictionary: string, data: Buffer | string): Buffer {
  const bytes = Buffer.from(data);
  const head = `<< ${dictionary} /Length ${bytes.length} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), bytes, Buffer.from("\nendstream")]);
}

/** Makes a PDF with catalog, pages and page in one object stream; `encode` returns its stored form. */
export function makeObjectStreamPdf(filter: string, encode: (content: Buffer) => Buffer): Buffer {
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
  const content = encode(Buffer.from(`${first}${objects.join(" ")} `));
  const head = Buffer.from("%PDF-1.7\n4 0 obj\n");
  const stream = pdfStream(`/Type /ObjStm /N 3 /First ${first.length} ${filter}`, content);
  const start = head.length + stream.length + 8;
  // Type, offset or stream number, generation or index in the stream: 1, 4 and 2 bytes.
  const row = (type: number, second: number, third: number) => {
    const bytes = Buffer.alloc(7);
    bytes.writeUInt8(type);
    bytes.writeUInt32BE(second, 1);
    bytes.writeUInt16BE(third, 5);
    return bytes;
  };
  const compressed = [0, 1, 2].map((position) => row(2, 4, position));
  const rows = [row(0, 0, 65_535), ...compressed, row(1, 9, 0), row(1, start, 0)];
  const table = pdfStream("/Type /XRef /Size 6 /W [1 4 2] /Root 1 0 R", Buffer.concat(rows));
  return Buffer.concat([
    head,
    stream,
    Buffer.from("\nendobj\n"),
    Buffer.from("5 0 obj\n"),
    table,
    Buffer.from(`\nendobj\nstartxref\n${start}\n%%EOF\n`),
  ]);
}
