import type { Task } from "./plan.ts";
import type { RequestStep, RunRequest } from "./request.ts";

/** The curl command that creates the job of a task. Secrets are named by their variables, not shown. */
export function curlCommand(baseUrl: string, request: RunRequest, { sources }: Task): string {
  const { id, steps, fields } = request;
  const isChain = id === "chain";
  const words = [
    "curl -sS",
    quote(`${baseUrl}/v1/${isChain ? "jobs" : id}`),
    `-H "X-API-Key: $MEDIAMILL_API_KEY"`,
    "-H 'Prefer: wait=60'",
  ];
  for (const source of sources) {
    if (source.kind === "url") words.push(text("input", source.url));
    else words.push(file("file", source.kind === "file" ? source.path : "-"));
  }
  if (isChain) words.push(chainField(steps));
  else for (const step of steps) words.push(...stepWords(step));
  for (const [name, value] of Object.entries(fields)) words.push(text(name, fieldText(value)));
  return words.join(" ");
}

function stepWords({ files, fields, secrets }: RequestStep): string[] {
  return [
    ...Object.entries(files).map(([name, path]) => file(name, path)),
    ...Object.entries(fields).map(([name, value]) => {
      const variable = secrets.get(name);
      if (variable) return `--form-string "${name}=$${variable}"`;
      return text(name, fieldText(value));
    }),
  ];
}

/** The operations of a chain as one field. A further file is an upload that has to be made before. */
function chainField(steps: readonly RequestStep[]): string {
  const secrets = new Map<string, string>();
  const operations = steps.map(({ operation, fields, files, secrets: variables }) => {
    const params: Record<string, unknown> = { ...fields };
    for (const [name, path] of Object.entries(files)) {
      params[`${name}_url`] = `<the id of an upload of ${path}>`;
    }
    for (const [name, variable] of variables) {
      if (params[name] === undefined) continue;
      const placeholder = `{${variable}}`;
      secrets.set(placeholder, variable);
      params[name] = placeholder;
    }
    return { type: operation.id, params };
  });
  let word = text("operations", JSON.stringify(operations));
  // The shell reads a variable only between double quotes.
  for (const [placeholder, variable] of secrets) {
    word = word.replaceAll(placeholder, `'"$${variable}"'`);
  }
  return word;
}

function fieldText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
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
