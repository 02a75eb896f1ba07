import { isUtf8 } from "node:buffer";
import { markedEncoding } from "../sniff/text.ts";

/** The text of a page, in the encoding that its server, a byte order mark or the page declares. */
export function decodeHtml(bytes: Buffer, charset: string | undefined): string {
  const start = bytes.toString("latin1", 0, 1024);
  const marked = markedEncoding(bytes);
  const declared = /<meta[^>]+charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(start)?.[1];
  const label = marked ?? charset ?? declared ?? (isUtf8(bytes) ? "utf-8" : "windows-1252");
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes); // an encoding that does not exist
  }
}
