import { type Call, formText } from "./request.ts";

/** A line for a POSIX shell. */
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
    ...Object.entries(files).map(([part, file]) => `-F ${quote(`${part}=@${nameFile(file)}`)}`),
    ...Object.entries(fields).map(([name, value]) => writeField(name, formText(value))),
  ];
}

/** `-F` gives `@`, `<`, `;` and quotes in a value a meaning; `--form-string` does not. */
function writeField(name: string, text: string): string {
  const isPlain = /^[\p{L}\p{N}#+\-.][^;"\\\n]*$/u.test(text);
  return `${isPlain ? "-F" : "--form-string"} ${quote(`${name}=${text}`)}`;
}

/** A file's name as `-F` reads it: in quotes where it holds what separates options. */
function nameFile(name: string): string {
  return /[,;"]/.test(name) ? `"${name.replaceAll(/["\\]/g, "\\$&")}"` : name;
}

/** One word of the shell, whatever it holds. */
function quote(text: string): string {
  return /^[\w@=.,:/+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
