import { appendToRegular, openRegular } from "#lib/files/regular-files.ts";

/** Properties of a document (ISO 32000-1, 14.3.3). */
export interface PdfInfo {
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  readonly subject?: string | undefined;
  readonly keywords?: string | undefined;
}

const names = { title: "Title", author: "Author", subject: "Subject", keywords: "Keywords" };

const tailBytes = 2048;

/** The trailer and its information dictionary are small. */
const objectBytes = 64 * 1024;

/** A literal or hexadecimal string, a date, a number or a name. */
const entryPattern = /\/(\w+)\s*(\((?:\\[\s\S]|[^\\()])*\)|<[0-9A-Fa-f\s]*>)/g;

/**
 * Sets properties of a PDF that Chromium has written, with an incremental update: the rest of the file
 * stays as it is. Properties that are not given are kept.
 */
export async function writePdfInfo(path: string, info: PdfInfo): Promise<void> {
  const file = await openRegular(path);
  const { size } = await file.stat();
  const read = async (position: number, length: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
    return buffer.toString("latin1", 0, bytesRead);
  };
  try {
    const tail = await read(Math.max(0, size - tailBytes), tailBytes);
    const trailer = tail.slice(tail.lastIndexOf("trailer"));
    const [, table] = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(trailer) ?? [];
    const [, count] = /\/Size\s+(\d+)/.exec(trailer) ?? [];
    const [, root] = /\/Root\s+(\d+ 0 R)/.exec(trailer) ?? [];
    const [, id] = /\/Info\s+(\d+) 0 R/.exec(trailer) ?? [];
    if (!table || !count || !root) throw new Error("the PDF has no classic trailer");
    const entries = new Map<string, string>();
    if (id) {
      const start = await read(Number(table), 64);
      const heading = /^xref\s+0 \d+\s*?\r?\n/.exec(start)?.[0].length ?? 0;
      const row = await read(Number(table) + heading + 20 * Number(id), 20);
      const object = await read(Number(row.slice(0, 10)), objectBytes);
      for (const [, name = "", value = ""] of object
        .slice(0, object.indexOf("endobj"))
        .matchAll(entryPattern)) {
        entries.set(name, value);
      }
    }
    for (const [key, name] of Object.entries(names)) {
      // The keys of `names` are those of `PdfInfo`.
      const text = info[key as keyof PdfInfo];
      if (text !== undefined) entries.set(name, toPdfText(text));
    }
    const dictionary = [...entries].map(([name, value]) => `/${name} ${value}`).join("\n");
    const object = `\n${count} 0 obj\n<<\n${dictionary}\n>>\nendobj\n`;
    const row = `${`${size + 1}`.padStart(10, "0")} 00000 n \n`;
    const next = `trailer\n<< /Size ${Number(count) + 1} /Root ${root} /Info ${count} 0 R /Prev ${table} >>\n`;
    const offset = size + Buffer.byteLength(object, "latin1");
    const update = `${object}xref\n${count} 1\n${row}${next}startxref\n${offset}\n%%EOF\n`;
    await appendToRegular(path, update, "latin1");
  } finally {
    await file.close();
  }
}

/** A text string in UTF-16 with a byte order mark, in hexadecimal digits (ISO 32000-1, 7.9.2.2). */
function toPdfText(text: string): string {
  const bytes = Buffer.from(text, "utf16le").swap16();
  return `<FEFF${bytes.toString("hex").toUpperCase()}>`;
}
