import { type Call, type CallFile, formText, toJsonBody } from "./request.ts";
import { quote } from "./shell.ts";

/** A command for a POSIX shell. */
export function writeCurl(call: Call): string {
  const head = [
    `curl -sS ${call.baseUrl}${call.path}`,
    `-H "X-API-Key: $MEDIAMILL_API_KEY"`,
    "-H 'Prefer: wait=60'",
  ];
  return [...head, ...(call.isForm ? writeForm(call) : writeJson(call))].join(" \\\n  ");
}

function writeJson(call: Call): string[] {
  const body = JSON.stringify(
    toJsonBody(call, (path) => path),
    null,
    2,
  );
  return ["-H 'Content-Type: application/json'", `-d ${quote(body)}`];
}

function writeForm({ files, fields }: Call): string[] {
  return [
    ...files.map(writeFile),
    ...Object.entries(fields).map(([name, value]) => writeField(name, readableText(value))),
  ];
}

/** Longer JSON is broken over lines. */
const maxLineLength = 60;

function readableText(value: unknown): string {
  const text = formText(value);
  const isLong = typeof value === "object" && text.length > maxLineLength;
  return isLong ? JSON.stringify(value, null, 2) : text;
}

function writeFile({ part, urlField, source }: CallFile): string {
  if ("url" in source) return writeField(urlField, source.url);
  return `-F ${quote(`${part}=@${quoteFilename(source.file)}`)}`;
}

/** In a value of `-F`, the characters `@`, `<`, `;` and quotes have a special meaning. `--form-string` takes them literally. */
function writeField(name: string, text: string): string {
  const isPlain = /^[\p{L}\p{N}#+\-.][^;"\\\n]*$/u.test(text);
  return `${isPlain ? "-F" : "--form-string"} ${quote(`${name}=${text}`)}`;
}

/** A file name for `-F`, quoted if it contains a separator of options. */
function quoteFilename(name: string): string {
  return /[,;"]/.test(name) ? `"${name.replaceAll(/["\\]/g, "\\$&")}"` : name;
}
