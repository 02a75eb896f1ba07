import { maxUrlLength } from "#lib/fetch-url.ts";
import { metadataSchema } from "#lib/jobs/metadata.ts";
import { type JobOptions, noOptions } from "../form/job-options.ts";

/** The options of a request's fields, such as those of a link. What the API would not accept is left out. */
export function readOptions(fields: {
  readonly webhook_url?: unknown;
  readonly metadata?: unknown;
}): JobOptions {
  const { webhook_url: url, metadata } = fields;
  const parsed = metadataSchema.safeParse(metadata);
  return {
    webhookUrl: typeof url === "string" && url.length <= maxUrlLength ? url : noOptions.webhookUrl,
    metadata: parsed.success
      ? Object.entries(parsed.data).map(([name, value]) => ({ name, value }))
      : noOptions.metadata,
  };
}
