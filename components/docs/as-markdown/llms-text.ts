import {
  installCommand,
  mcpCommand,
  type PackageKey,
} from "#lib/api/endpoints/packages/client-packages.ts";
import { describeSchema } from "#lib/api/http/schema-messages.ts";
import { parameterSchema } from "#lib/api/job-creation/request-schema.ts";
import { env } from "#lib/env.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import { guideHref, readGuide, readGuides } from "../guides.ts";
import { describeInputs } from "../reference/describe-inputs.ts";
import { exampleSnippets } from "../reference/example.ts";
import { guideMarkdown } from "./guide-markdown.ts";

const install = (key: PackageKey) => `Install: \`${installCommand(key, env.APP_URL)}\`.`;

/** The clients, with the guide of each. */
const clients = [
  [
    "sdk",
    "TypeScript SDK",
    `npm package \`@mediamill/sdk\`, for Node, Bun, Deno and browsers. ${install("sdk")}`,
  ],
  ["python", "Python package", `\`mediamill\`, synchronous and asynchronous. ${install("python")}`],
  ["cli", "CLI", `npm package \`@mediamill/cli\`, command \`mediamill\`. ${install("cli")}`],
  [
    "mcp",
    "MCP server",
    `\`POST /mcp\`: tools that find and run operations. Over stdio: \`${mcpCommand(env.APP_URL)}\`.`,
  ],
  ["n8n", "n8n node", `npm package \`n8n-nodes-mediamill\`. ${install("n8n")}`],
] as const;

/** Writes `/llms.txt` (llmstxt.org), an index of the docs for language models. */
export function writeLlmsIndex(): string {
  const link = (title: string, path: string, summary: string) =>
    `- [${title}](${env.APP_URL}${path}): ${summary}`;
  return [
    "# Mediamill",
    "",
    "> Media processing over HTTP: video, audio, images and documents, as background jobs. POST /v1/{group}/{operation} with a file or a URL returns a job immediately.",
    "",
    "## Guide",
    "",
    ...readGuides().map(({ slug, title, summary }) => link(title, guideHref(slug), summary)),
    "",
    "## Clients",
    "",
    ...clients.map(([slug, title, summary]) =>
      readGuide(slug) ? link(title, guideHref(slug), summary) : `- ${title}: ${summary}`,
    ),
    "",
    "## Operations",
    "",
    ...operations.map(({ id, title, summary }) => link(title, `/docs/${id}`, summary)),
    "",
    "## Machine-readable",
    "",
    link("OpenAPI 3.1", "/openapi.json", "The whole API."),
    link("Catalogue", "/v1/operations", "Every operation with the JSON Schema of its parameters."),
    link("Full docs", "/llms-full.txt", "The guides and the reference as one text."),
    "",
  ].join("\n");
}

let full: string | undefined;

/** Writes `/llms-full.txt`, the guides and the reference as one Markdown text, once per process. */
export function writeLlmsFull(): string {
  full ??= joinAll();
  return full;
}

function joinAll(): string {
  const guides = readGuides().map(guideMarkdown);
  return [...guides, "# Operations", ...operations.map(describeOperation)]
    .join("\n\n")
    .concat("\n");
}

/** The reference of an operation as Markdown. */
export function describeOperation(operation: Operation): string {
  const { properties, required } = parameterSchema(operation);
  const lines = Object.entries(properties).map(([name, schema]) => {
    const given = required.includes(name)
      ? "required"
      : schema.default === undefined
        ? "optional"
        : `default ${String(schema.default)}`;
    const kind = `${describeSchema(schema)}; ${given}${schema.writeOnly ? "; secret" : ""}`;
    return `- \`${name}\` (${kind}): ${schema.description ?? ""}`;
  });
  const parameters = lines.length > 0 ? lines.join("\n") : "No parameters.";
  const { curl } = exampleSnippets(operation);
  const example = `\`\`\`bash\n${curl}\n\`\`\``;
  return `## POST /v1/${operation.id}\n\n${operation.summary} ${describeInputs(operation)}\n\n${parameters}\n\n${example}`;
}
