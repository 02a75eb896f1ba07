import type { RequestErrorCode } from "#lib/errors.ts";

/** Bad inputs: multipart bodies and file names, and the error code of the response. */

export const boundary = "multipart/form-data; boundary=b";

/** A part of a multipart form. Without `filename` it is a text field. */
export function part(name: string, content: string, filename?: string, type = "text/html"): string {
  const file = filename === undefined ? "" : `; filename="${filename}"\r\nContent-Type: ${type}`;
  return `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
}

export const end = "--b--\r\n";
/** HTML by its content. */
export const page = "<!doctype html><h1>x</h1>";
const file = part("file", page, "a.html");
const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join("");

export interface BadUpload {
  readonly id: string;
  readonly body: () => string;
  readonly type?: string;
  readonly code: RequestErrorCode;
}

/** Request bodies for document/html-to-pdf. */
export const badUploads: readonly BadUpload[] = [
  { id: "an empty body", body: () => "", code: "invalid_request" },
  { id: "a form without parts", body: () => end, code: "invalid_input" },
  { id: "a file of 0 bytes", body: () => part("file", "", "a.html") + end, code: "invalid_input" },
  {
    id: "a boundary of 5,000 characters",
    body: () => file + end,
    type: `multipart/form-data; boundary=${"b".repeat(5000)}`,
    code: "invalid_request",
  },
  {
    id: "a different boundary than declared",
    body: () => file + end,
    type: "multipart/form-data; boundary=c",
    code: "invalid_request",
  },
  {
    id: "10,000 fields",
    body: () => times(10_000, (index) => part(`f${index}`, "x")) + file + end,
    code: "invalid_request",
  },
  {
    id: "10,000 files",
    body: () => times(10_000, (index) => part(`f${index}`, "x", "a")) + end,
    code: "invalid_request",
  },
  {
    id: "the same file 10,000 times",
    body: () => times(10_000, () => file) + end,
    code: "invalid_request",
  },
  {
    id: "10,000 parts without a name",
    body: () => times(10_000, () => "--b\r\n\r\nx\r\n") + end,
    code: "invalid_request",
  },
  {
    id: "40 fields of 1 MB",
    body: () => times(40, (index) => part(`f${index}`, "x".repeat(1e6))) + end,
    code: "too_large",
  },
  {
    id: "a field of 2 MB",
    body: () => part("header_html", "x".repeat(2e6)) + file + end,
    code: "too_large",
  },
  {
    id: "a field whose name has 1,000 characters",
    body: () => part("x".repeat(1000), "x") + file + end,
    code: "invalid_parameter",
  },
  {
    id: "a field twice",
    body: () => part("scale", "1") + part("scale", "2") + file + end,
    code: "invalid_request",
  },
  { id: "a field without a name", body: () => part("", "x") + file + end, code: "invalid_request" },
  {
    id: "a file under another name",
    body: () => part("upload", page, "a.html") + end,
    code: "invalid_request",
  },
  {
    id: "a file named __proto__",
    body: () => part("__proto__", page, "a.html") + end,
    code: "invalid_request",
  },
  {
    id: "a file part without a name",
    body: () => part("", page, "a.html") + end,
    code: "invalid_request",
  },
  { id: "the file as a text field", body: () => part("file", page) + end, code: "invalid_request" },
  {
    id: "a file and a URL",
    body: () => part("input", "http://10.0.0.1/") + file + end,
    code: "invalid_input",
  },
  {
    id: "8 MB in a rejected part",
    body: () => `${part("upload", "x".repeat(8e6), "a")}${end}`,
    code: "invalid_request",
  },
  { id: "a truncated file", body: () => file.slice(0, -2), code: "invalid_request" },
  {
    id: "a file part with only headers",
    body: () => part("file", "", "a.html").slice(0, -2),
    code: "invalid_request",
  },
  {
    id: "a malformed part",
    body: () => `--b\r\n\0: \x01\r\n\r\nx\r\n${end}`,
    code: "invalid_request",
  },
  {
    id: "a name of 20,000 characters",
    body: () => part("file", page, "n".repeat(20_000)) + end,
    code: "invalid_request",
  },
  {
    id: "a name with NUL",
    body: () => part("file", page, "a\0.html") + end,
    code: "invalid_request",
  },
  {
    id: "a name with a line feed",
    body: () => part("file", page, "a\nb.html") + end,
    code: "invalid_request",
  },
  {
    id: "a name with CRLF",
    body: () => part("file", page, "a\r\nX: b.html") + end,
    code: "invalid_input",
  },
  {
    id: "metadata that is not JSON",
    body: () => part("metadata", "{") + file + end,
    code: "invalid_parameter",
  },
  {
    id: "metadata that is a list",
    body: () => part("metadata", "[]") + file + end,
    code: "invalid_parameter",
  },
];

/** File names as sent, and as stored. */
export const unusualFilenames: readonly (readonly [sent: string, stored: string])[] = [
  ["../../x.html", "x.html"],
  ["/etc/passwd", "passwd"],
  ["C:\\\\temp\\\\x.html", "x.html"],
  ["CON", "CON"],
  ["..", "file"],
  ["", "file"],
  ["<script>alert(1)</script>.html", "script>.html"],
  ["a%22b.html", 'a"b.html'],
  ["..%2f..%2fx.html", "..%2f..%2fx.html"],
  ["a\u202elmth.exe", "almth.exe"],
  ["naïve 数.html", "naïve 数.html"],
  [`${"n".repeat(4096)}.html`, `${"n".repeat(191)}.html`],
];
