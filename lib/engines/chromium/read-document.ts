import { isUtf8 } from "node:buffer";
import { readRegular, statRegular } from "#lib/files/regular-files.ts";
import { type FileLimits, limitError } from "#lib/limits/limits.ts";
import type { PageAssets } from "./page/assets.ts";
import { type PageDocument, uploadUrl } from "./page/page-document.ts";

/** An HTML file, with the URL that it was fetched from and the charset that its server declared. */
export interface PageFile {
  readonly path: string;
  readonly url?: string | undefined;
  readonly requestedUrl?: string | undefined;
  readonly charset?: string | undefined;
  /** The files that the page refers to by relative URLs. */
  readonly assets?: PageAssets | undefined;
}

/** Reads an HTML file for the browser. Throws `JobError("too_complex")` if it is too large. */
export async function readPageDocument(input: PageFile, limits: FileLimits): Promise<PageDocument> {
  const { size } = await statRegular(input.path);
  if (size > limits.htmlBytes) throw limitError("htmlBytes", limits.htmlBytes);
  const body = await readRegular(input.path);
  const { url = uploadUrl, requestedUrl, assets } = input;
  return { url, requestedUrl, body, contentType: declareType(body, input), assets };
}

/**
 * The document's media type, with the encoding that its server declared. If neither the server nor the
 * document declares one and the text is valid UTF-8, that is declared: browsers would guess a legacy
 * encoding.
 */
function declareType(body: Buffer, input: PageFile): string {
  if (input.charset && /^[\w.:-]{1,40}$/.test(input.charset)) {
    return `text/html; charset=${input.charset}`;
  }
  // Browsers search the first 1024 bytes for a declaration (HTML, "prescan a byte stream").
  const declares = /charset/i.test(body.toString("latin1", 0, 1024));
  return !declares && isUtf8(body) ? "text/html; charset=utf-8" : "text/html";
}
