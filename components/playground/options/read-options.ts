import { z } from "zod";
import { maxUrlLength } from "#lib/fetch-url.ts";
import { metadataSchema } from "#lib/jobs/metadata.ts";
import { noTarget, type OutputTarget } from "../connections/output-target.ts";
import { type JobOptions, noOptions } from "../form/job-options.ts";

/** The options of a request's fields, such as those of a link. What the API would not accept is left out. */
export function readOptions(fields: {
  readonly webhook_url?: unknown;
  readonly metadata?: unknown;
  readonly output?: unknown;
  readonly keep?: unknown;
}): JobOptions {
  const { webhook_url: url, metadata } = fields;
  const parsed = metadataSchema.safeParse(metadata);
  const target = readTarget(fields.output, fields.keep);
  return {
    ...(target && { target }),
    webhookUrl: typeof url === "string" && url.length <= maxUrlLength ? url : noOptions.webhookUrl,
    metadata: parsed.success
      ? Object.entries(parsed.data).map(([name, value]) => ({ name, value }))
      : noOptions.metadata,
  };
}

const connectionTarget = z.object({
  connection: z.string().regex(/^conn_[0-9A-Za-z]{24}$/),
  path: z.string().max(1024).default(noTarget.path),
  overwrite: z.boolean().default(false),
});

/** The target of a request. A presigned URL is not read: it was a secret of its sender. */
function readTarget(output: unknown, keep: unknown): OutputTarget | undefined {
  const { data } = connectionTarget.safeParse(output);
  return data && { ...noTarget, kind: "connection", ...data, keep: keep === true };
}
