import type { Task } from "./plan.ts";
import type { RunRequest } from "./request.ts";

/** The curl command that creates the job of a task. Secrets are named by their variables, not shown. */
export function curlCommand(baseUrl: string, request: RunRequest, { sources }: Task): string {
  const words = [
    "curl -sS",
    quote(`${baseUrl}/v1/${request.operation.id}`),
    `-H "X-API-Key: $MEDIAMILL_API_KEY"`,
    "-H 'Prefer: wait=60'",
  ];
  for (const source of sources) {
    if (source.kind === "url") words.push(text("input", source.url));
    else words.push(file("file", source.kind === "file" ? source.path : "-"));
  }
  for (const [name, path] of Object.entries(request.files)) words.push(file(name, path));
  for (const [name, value] of Object.entries(request.fields)) {
    const variable = request.secrets.get(name);
    if (variable) words.push(`--form-string "${name}=$${variable}"`);
    else words.push(text(name, typeof value === "string" ? value : JSON.stringify(value)));
  }
  return words.join(" ");
}

function text(name: string, value: string): string {
  return `--form-string ${quote(`${name}=${value}`)}`;
}

function file(name: string, path: string): string {
  const named = path === "-" ? "-;filename=stdin" : `"${path.replaceAll(/["\\]/g, "\\$&")}"`;
  return `-F ${quote(`${name}=@${named}`)}`;
}

/** A word of a POSIX shell. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
