import { z } from "zod";
import { db } from "#lib/db/client.ts";
import {
  findJobPosition,
  type JobPosition,
  listJobs as queryJobs,
} from "#lib/db/queries/jobs/lists.ts";
import { jobStatuses } from "#lib/db/schema/job-states.ts";
import { jobErrorCodes, RequestError } from "#lib/errors.ts";
import { jobSchema, serializeJob } from "#lib/jobs/view/job.ts";
import type { KeyCaller } from "../../definition/access.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import {
  cursorQuery,
  metadataFilter,
  pageFields,
  pageQuery,
  timeText,
} from "../../definition/parameters.ts";
import { onResponseEnd } from "../../http/incoming-message.ts";
import { AccountSlots } from "../../http/slots/account-slots.ts";
import { cursorLinks, formatTotal, offsetLinks } from "./list-headers.ts";

/** A page can have several megabytes. */
const slots = new AccountSlots({
  max: 3,
  maxWaiting: 50,
  message: "Too many lists of jobs are requested at a time. Wait for some of the responses.",
  retryAfterSeconds: 1,
});

const query = z.strictObject({
  ...pageQuery("Jobs"),
  ...cursorQuery,
  status: z.enum(jobStatuses).optional().describe("Only jobs with this status."),
  operation: z
    .string()
    .regex(/^[a-z0-9/-]{1,100}$/, "must be the id of an operation, such as image/sharpen")
    .optional()
    .describe("Only jobs of this operation."),
  filename: z
    .string()
    .min(1)
    .max(255)
    .refine((text) => !text.includes("\0"), "must have no NUL character")
    .optional()
    .describe("Only jobs whose input's file name contains this text, in any case."),
  error_code: z.enum(jobErrorCodes).optional().describe("Only jobs that failed with this code."),
  metadata: metadataFilter,
  key: z
    .string()
    .regex(/^key_[0-9A-Za-z]{24}$/, "must be the id of an API key")
    .optional()
    .describe("Only jobs that this API key created, by the key's id."),
  created_after: timeText.optional().describe("Only jobs created at or after this time."),
  created_before: timeText.optional().describe("Only jobs created before this time."),
});

export const listJobs = defineEndpoint({
  method: "GET",
  path: "/v1/jobs",
  operationId: "listJobs",
  tag: "Jobs",
  summary: "List jobs, newest first.",
  description:
    "Page with `offset`, or with `starting_after` and `ending_before`: a page by a job's id is as fast deep in the list as at its start, and new jobs do not shift it. A page of jobs with very long parameters or results may have fewer than `limit` jobs, so that it has at most about 8 MB: `Link` has a next page as long as there are more jobs.",
  access: "apiKey",
  scope: "jobs:read",
  forTokens: true,
  query,
  responses: {
    200: {
      description: "A page of jobs.",
      body: z.strictObject({ jobs: z.array(jobSchema), ...pageFields }).meta({ id: "JobList" }),
      headers: ["X-Total-Count", "Link"],
    },
  },
  errors: ["rate_limited"],
  async handler({ account, token, query, url, request }) {
    const release = await slots.wait(account.id, request.signal);
    // Until then the response is in memory.
    if (!onResponseEnd(request, release)) release();
    const { limit, offset, starting_after, ending_before } = query;
    requireOnePosition(url);
    const [after, before] = await Promise.all([
      positionOf({ account, token }, "starting_after", starting_after),
      positionOf({ account, token }, "ending_before", ending_before),
    ]);
    const page = { limit, offset, after, before };
    const filter = { ...filterOf(query), tokenId: token?.id };
    const { rows, total, hasMore } = await queryJobs(db(), account.id, filter, page);
    const headers = new Headers({ "X-Total-Count": formatTotal(total) });
    const links =
      after || before
        ? cursorLinks(url, rows, {
            limit,
            hasNewer: !before || hasMore,
            hasOlder: !after || hasMore,
          })
        : offsetLinks(url, { limit, offset, hasMore, count: rows.length });
    if (links) headers.set("Link", links);
    return Response.json({ jobs: rows.map(serializeJob), limit, offset }, { headers });
  },
});

function filterOf(parsed: z.output<typeof query>) {
  const { status, operation, filename, metadata, error_code, key } = parsed;
  const { created_after: createdAfter, created_before: createdBefore } = parsed;
  const created = { createdAfter, createdBefore };
  return {
    status,
    operation,
    filename,
    metadata,
    errorCode: error_code,
    apiKeyId: key,
    ...created,
  };
}

/** Throws if the query says in more than one way where the page starts. */
function requireOnePosition({ searchParams }: URL): void {
  const given = ["starting_after", "ending_before", "offset"].filter((name) =>
    searchParams.has(name),
  );
  if (given.length < 2) return;
  const message = "Send only one of `starting_after`, `ending_before` and `offset`.";
  throw new RequestError("invalid_parameter", message);
}

/** Where the caller's job `id` is in the list. Throws the same error for the job of another caller. */
async function positionOf(
  {
    account,
    token,
  }: Pick<KeyCaller, "account"> & { readonly token: KeyCaller["token"] | undefined },
  name: string,
  id: string | undefined,
): Promise<JobPosition | undefined> {
  if (id === undefined) return undefined;
  const position = await findJobPosition(db(), account.id, id, token?.id);
  if (position) return position;
  throw new RequestError("invalid_parameter", `\`${name}\` must be the id of one of your jobs.`);
}
