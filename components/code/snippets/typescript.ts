import { typescriptStyle, writeLiteral } from "./literal.ts";
import { type Call, type CallFile, formText, toJsonBody } from "./request.ts";

/** A TypeScript module. Node ≥ 22.18 runs it directly; Node ≥ 20 needs it compiled. */
export function writeTypescript(call: Call): string {
  const { baseUrl, path, isForm } = call;
  return [
    ...(isForm ? ['import { openAsBlob } from "node:fs";'] : []),
    'import { env } from "node:process";',
    "",
    `const service = ${text(baseUrl)};`,
    'const headers = { "X-API-Key": env.MEDIAMILL_API_KEY ?? "" };',
    "",
    "interface Job {",
    "  id: string;",
    '  status: "pending" | "processing" | "completed" | "failed" | "cancelled";',
    "  error: string | null;",
    "  outputs: { url: string }[];",
    "}",
    "",
    "async function call(path: string, request: RequestInit = {}): Promise<Job> {",
    "  const response = await fetch(service + path, {",
    "    ...request,",
    "    headers: { ...headers, ...request.headers },",
    "  });",
    "  const job = (await response.json()) as Job;",
    "  if (!response.ok) throw new Error(job.error ?? response.statusText);",
    "  return job;",
    "}",
    "",
    ...(isForm ? writeForm(call) : [`const fields = ${literal(toJsonBody(call, String))};`]),
    "",
    `let job = await call(${text(path)}, {`,
    '  method: "POST",',
    ...(isForm
      ? ["  body: form,"]
      : ['  headers: { "Content-Type": "application/json" },', "  body: JSON.stringify(fields),"]),
    "});",
    'while (job.status === "pending" || job.status === "processing") {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is part of the snippet.
    "  job = await call(`/v1/jobs/${job.id}?wait=60`);",
    "}",
    'if (job.status !== "completed") throw new Error(job.error ?? job.status);',
    "for (const output of job.outputs) console.log(output.url);",
    "",
  ].join("\n");
}

function writeForm({ files, fields }: Call): string[] {
  return [
    "const form = new FormData();",
    ...files.map(writeFile),
    ...Object.entries(fields).map(([name, value]) => {
      const written =
        typeof value === "object" ? `JSON.stringify(${literal(value)})` : text(formText(value));
      return `form.set(${text(name)}, ${written});`;
    }),
  ];
}

/** Appended, because an operation that takes several files has a part for each. */
function writeFile({ part, urlField, source }: CallFile): string {
  if ("url" in source) return `form.append(${text(urlField)}, ${text(source.url)});`;
  const name = source.file.split("/").at(-1) ?? source.file;
  return `form.append(${text(part)}, await openAsBlob(${text(source.file)}), ${text(name)});`;
}

const text = JSON.stringify;

function literal(value: unknown): string {
  return writeLiteral(value, typescriptStyle);
}
