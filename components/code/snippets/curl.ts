import { type Call, formText } from "./request.ts";

/** A command for a POSIX shell. */
export function writeCurl({ baseUrl, path, fields, files }: Call): string {
  const head = [
    `curl -sS ${baseUrl}${path}`,
    `-H "X-API-Key: $MEDIAMILL_API_KEY"`,
    "-H 'Prefer: wait=60'",
  ];
  return [...head, ...writeBody(fields, files)].join(" \\\n  ");
}

function writeBody(fields: Call["fields"], files: Call["files"]): string[] {
  if (Object.keys(files).length === 0) {
    const body = JSON.stringify(fields, null, 2);
    return ["-H 'Content-Type: application/json'", `-d ${quote(body)}`];
  }
  return [
    ...Object.entries(files).map(
      ([part, file]) => `-F ${quote(`${part}=@${quoteFilename(file)}`)}`,
    ),
    ...Object.entries(fields).map(([name, value]) => writeField(name, formText(value))),
  ];
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

/** `text` as one shell word. */
function quote(text: string): string {
  return /^[\w@=.,:/+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
