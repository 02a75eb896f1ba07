import type { z } from "zod";
import { endpoints } from "#lib/api/endpoints/index.ts";
import { componentSchema } from "#lib/api/http/schema-messages.ts";
import {
  endpointEventTypes,
  eventMeanings,
  eventTypes,
  webhookEventTypes,
} from "#lib/db/schema/event-types.ts";
import { jobSchema, outputSchema } from "#lib/jobs/view/job.ts";
import { listFields } from "./field-list.ts";

/** The tables that guides have in place of their names in braces, as Markdown. */
export const guideTables: Readonly<Record<string, () => string>> = {
  jobEndpoints: () => endpointTable("/v1/jobs/{id}"),
  jobFields: () => fieldTable(jobSchema),
  outputFields: () => fieldTable(outputSchema),
  webhookEvents: () => eventTable(webhookEventTypes),
  endpointEvents: () => eventTable(endpointEventTypes),
  webhookEndpoints: () => endpointTable("/v1/webhooks/endpoints"),
  jobEvents: () => eventTable(eventTypes),
};

/** The API's endpoints whose path starts with `prefix`. */
function endpointTable(prefix: string): string {
  const shown = endpoints.filter(({ path, internal }) => path.startsWith(prefix) && !internal);
  const rows = shown.map(
    ({ method, path, summary, description = "" }) =>
      `| \`${method} ${path}\` | ${`${summary} ${description}`.trim()} |`,
  );
  return ["| Request | What it does |", "|---|---|", ...rows].join("\n");
}

/** The fields of what the API sends. */
function fieldTable(schema: z.ZodType): string {
  const rows = listFields(componentSchema(schema)).map(
    ({ name, values, isOptional, description = "" }) =>
      `| \`${name}\` | ${values}${isOptional ? ", or absent" : ""} | ${description} |`,
  );
  return ["| Field | Values | What it is |", "|---|---|---|", ...rows].join("\n");
}

function eventTable(types: readonly (keyof typeof eventMeanings)[]): string {
  const rows = types.map((type) => `| \`${type}\` | ${eventMeanings[type]} |`);
  return ["| `type` | When |", "|---|---|", ...rows].join("\n");
}
