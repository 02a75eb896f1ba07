/** The names of files from servers and uploads. They are for people: no path is derived from them. */

/**
 * The maxBytes UTF-8 bytes of a name before its extension. With the extension of an output a name stays
 * within 200 bytes, and with the number that an archive may add within the 255 of file systems.
 */
const maxStemBytes = 191;

/** Control characters, and the ones that change the text direction and can hide an extension. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed
const invisible = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** The last path segment of `name` without invisible characters; may be empty. */
export function cleanFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const clean = last.toWellFormed().replace(invisible, "").trim();
  if (/^\.*$/.test(clean)) return "";
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(clean)?.[0] ?? "";
  return truncateUtf8(clean.slice(0, clean.length - extension.length), maxStemBytes) + extension;
}

/** The longest beginning of `text` with whole characters that has at maxBytes `maxBytes` of UTF-8. */
function truncateUtf8(text: string, maxBytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}

/**
 * The name in the server's `Content-Disposition` (RFC 6266), else the last path segment of one of
 * `urls`, preferably one with an extension, else `file`.
 */
export function fileNameOf(disposition: string | undefined, urls: readonly URL[]): string {
  const given = disposition ? cleanFileName(readDispositionName(disposition)) : "";
  if (given) return given;
  const segments = urls
    .map((url) => cleanFileName(decodePercent(url.pathname.split("/").at(-1) ?? "")))
    .filter((segment) => segment !== "");
  return segments.find((segment) => /\.\w{1,8}$/.test(segment)) ?? segments[0] ?? "file";
}

function readDispositionName(header: string): string {
  const extended = /;\s*filename\*\s*=\s*(utf-8|iso-8859-1)'[^']*'([^;\s]+)/i.exec(header);
  if (extended?.[2]) {
    const isUtf8 = extended[1]?.toLowerCase() === "utf-8";
    return isUtf8 ? decodePercent(extended[2]) : decodeLatin1(extended[2]);
  }
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header);
  // Browsers escape only quotes and backslashes with `\` in quoted names.
  if (quoted?.[1] !== undefined) return decodeHeaderValue(quoted[1].replace(/\\(["\\])/g, "$1"));
  return decodeHeaderValue(/;\s*filename\s*=\s*([^;\s]+)/i.exec(header)?.[1] ?? "");
}

/** Node decodes header values as Latin-1, but many servers send UTF-8. */
function decodeHeaderValue(text: string): string {
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
    return text; // not percent-encoded UTF-8
  }
}
