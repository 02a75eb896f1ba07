/** What a file that came from a server is called. For people only: no path is made of it. */

/**
 * Bytes of UTF-8 that a name has before its extension, at most: with that of an output it stays within
 * 200, and as part of an archive, which may number it, within the 255 that file systems take.
 */
const maxStemBytes = 191;

/** Control characters, and the marks that turn the direction of text and so hide an extension. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
const unprintable = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** The last part of `name`, without what cannot be shown; empty if nothing is left. */
export function cleanFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const clean = last.toWellFormed().replace(unprintable, "").trim();
  if (/^\.*$/.test(clean)) return "";
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(clean)?.[0] ?? "";
  return cutBytes(clean.slice(0, clean.length - extension.length), maxStemBytes) + extension;
}

/** The whole characters at the start of `text` that fit into `most` bytes of UTF-8. */
function cutBytes(text: string, most: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most));
  return text.slice(0, read);
}

/**
 * The name that a server gave (`Content-Disposition`, RFC 6266), else the last segment of one of
 * `urls`, a segment with an extension before one without; `file` where there is none.
 */
export function fileNameOf(disposition: string | undefined, urls: readonly URL[]): string {
  const given = disposition ? cleanFileName(dispositionName(disposition)) : "";
  if (given) return given;
  const segments = urls
    .map((url) => cleanFileName(decodePercent(url.pathname.split("/").at(-1) ?? "")))
    .filter((segment) => segment !== "");
  return segments.find((segment) => /\.\w{1,8}$/.test(segment)) ?? segments[0] ?? "file";
}

function dispositionName(header: string): string {
  const extended = /;\s*filename\*\s*=\s*(utf-8|iso-8859-1)'[^']*'([^;\s]+)/i.exec(header);
  if (extended?.[2]) {
    const isUtf8 = extended[1]?.toLowerCase() === "utf-8";
    return isUtf8 ? decodePercent(extended[2]) : decodeLatin1(extended[2]);
  }
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header);
  // Browsers send `\` in quoted names only before a quote or another backslash.
  if (quoted?.[1] !== undefined) return fromHeader(quoted[1].replace(/\\(["\\])/g, "$1"));
  return fromHeader(/;\s*filename\s*=\s*([^;\s]+)/i.exec(header)?.[1] ?? "");
}

/** Header values arrive as one character a byte; many servers send UTF-8 in them all the same. */
function fromHeader(text: string): string {
  const bytes = Buffer.from(text, "latin1");
  const utf8 = bytes.toString("utf8");
  return utf8.includes("\ufffd") ? text : utf8;
}

function decodeLatin1(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not UTF-8 behind the percent signs: shown as it came
  }
}
