import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Client } from "../../sdk/src/client.ts";
import { randomKey } from "../../sdk/src/http.ts";
import type { JobListQuery, PutUpload } from "../../sdk/src/index.ts";
import { dataResult, explainErrors, jobResult } from "./results.ts";

const jobId = z.string().max(100).describe("The id of a job (job_…).");

const statuses = ["pending", "processing", "completed", "failed", "cancelled"] as const;

const readOnly = { readOnlyHint: true, openWorldHint: false };

/** The tools that read and cancel jobs, and that create uploads. */
export function addJobTools(server: McpServer, client: Client): void {
  server.registerTool(
    "get_job",
    {
      title: "Get job",
      description: "Read a job, and wait for its end if it has not ended yet.",
      inputSchema: z.object({
        id: jobId,
        wait_seconds: z.number().int().min(0).max(60).default(30),
      }),
      annotations: readOnly,
    },
    ({ id, wait_seconds }) =>
      explainErrors(async () => {
        const options = wait_seconds > 0 ? { wait: wait_seconds } : {};
        return jobResult(await client.jobs.get(id, options));
      }),
  );

  server.registerTool(
    "list_jobs",
    {
      title: "List jobs",
      description: "List the account's jobs, newest first.",
      inputSchema: z.object({
        status: z.enum(statuses).optional(),
        operation: z.string().max(100).optional().describe("The id of an operation."),
        limit: z.number().int().min(1).max(100).default(20),
        starting_after: z
          .string()
          .optional()
          .describe("The id of the last job of the page before."),
      }),
      annotations: readOnly,
    },
    ({ limit, ...filter }) =>
      explainErrors(async () => {
        const jobs = [];
        // The fields that were left out are undefined.
        for await (const job of client.jobs.list({ ...filter, limit } as JobListQuery)) {
          const { id, status, operation, input, error, created_at } = job.data;
          jobs.push({ id, status, operation, file: input.filename, error, created_at });
          if (jobs.length === limit) break;
        }
        return dataResult({ jobs });
      }),
  );

  server.registerTool(
    "cancel_job",
    {
      title: "Cancel job",
      description: "Cancel a job that has not ended. Its work is lost.",
      inputSchema: z.object({ id: jobId }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    },
    ({ id }) => explainErrors(async () => jobResult(await client.jobs.cancel(id))),
  );

  server.registerTool(
    "create_upload",
    {
      title: "Create upload",
      description:
        "Get a URL to which a local file can be sent with one PUT request. Then use the upload's id as the input of a job.",
      inputSchema: z.object({
        filename: z.string().min(1).max(255),
        bytes: z.number().int().min(1).describe("The exact size of the file."),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    (body) =>
      explainErrors(async () => {
        const response = await client.request("/v1/uploads", {
          method: "POST",
          headers: { "Content-Type": "application/json", ...randomKey() },
          body: () => JSON.stringify(body),
        });
        const upload = (await response.json()) as PutUpload;
        const command = `curl -T '${body.filename.replaceAll("'", "'\\''")}' '${upload.url}'`;
        return dataResult({ ...upload, command });
      }),
  );
}
