import { parameterSchema } from "#lib/api/catalogue.ts";
import { describeAllowed } from "#lib/api/http/schema-messages.ts";
import { env } from "#lib/env.ts";
import { describeTypes } from "#lib/media/types.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import { exampleSnippets } from "./example.ts";
import { guideHref, readGuides } from "./guides.ts";
import { operationTitle } from "./titles.ts";

/** `/llms.txt` (llmstxt.org): what there is to read, for programs that read. */
export function writeLlmsIndex(): string {
  const link = (title: string, path: string, summary: string) =>
    `- [${title}](${env.APP_URL}${path}): ${summary}`;
  return [
    "# Mediamill",
    "",
    "> Media processing over HTTP: video, audio, images and documents, as background jobs. POST /v1/{group}/{operation} with a URL or a file answers at once with a job.",
    "",
    "## Guide",
    "",
    ...readGuides().map(({ slug, title, summary }) => link(title, guideHref(slug), summary)),
    "",
    "## Operations",
    "",
    ...operations.map(({ id, summary }) => link(operationTitle(id), `/docs/${id}`, summary)),
    "",
    "## Machine-readable",
    "",
    link("OpenAPI 3.1", "/openapi.json", "The whole API."),
    link("Catalogue", "/v1/operations", "Every operation with the JSON Schema of its parameters."),
    link("All of the docs", "/llms-full.txt", "The guide and the reference as one text."),
    "",
  ].join("\n");
}

/** `/llms-full.txt`: the guide and the reference as one Markdown text. */
export function writeLlmsFull(): string {
  const guides = readGuides().map(
    ({ title, summary, text }) =>
      `# ${title}\n\n${summary}\n\n${text.replace(/<!--.*?-->\n?/g, "").trim()}`,
  );
  return [...guides, "# Operations", ...operations.map(describeOperation)]
    .join("\n\n")
    .concat("\n");
}

function describeOperation(operation: Operation): string {
  const { properties, required } = parameterSchema(operation);
  const lines = Object.entries(properties).map(([name, schema]) => {
    const given = required.includes(name)
      ? "required"
      : schema.default === undefined
        ? "optional"
        : `default ${String(schema.default)}`;
    return `- \`${name}\` (${describeAllowed(schema)}; ${given}): ${schema.description ?? ""}`;
  });
  const parameters = lines.length > 0 ? lines.join("\n") : "It takes no parameters.";
  const takes = `Takes ${describeTypes(operation.accepts)}.`;
  const { curl } = exampleSnippets(operation);
  const example = `\`\`\`bash\n${curl}\n\`\`\``;
  return `## POST /v1/${operation.id}\n\n${operation.summary} ${takes}\n\n${parameters}\n\n${example}`;
}
