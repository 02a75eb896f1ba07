import { streamRegular } from "#lib/files/regular-files.ts";

const name = Buffer.from("pdfaid:part");

/** The longest identification that is searched for, in bytes. */
const maxBytes = 32;

/**
 * The option of qpdf for the objects of a PDF: compressed in streams, which make files smaller; or not, in a file that
 * says it is PDF/A-1, which forbids them (ISO 19005-1, 6.1.4). Its metadata are not compressed (6.7.2), so that they
 * are found in the bytes of the file.
 */
export async function objectStreamsOf({ path }: { readonly path: string }) {
  let end: Buffer = Buffer.alloc(0);
  for await (const chunk of streamRegular(path)) {
    const bytes = Buffer.concat([end, chunk]);
    for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1)) {
      const found = bytes.toString("latin1", at + name.length, at + maxBytes);
      if (/^(?:>|\s*=\s*["'])\s*1\b/.test(found)) return "disable";
    }
    end = bytes.subarray(-maxBytes);
  }
  return "generate";
}
