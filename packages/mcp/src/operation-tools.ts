import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Client } from "../../sdk/src/client.ts";
import type { JobData, OperationData } from "../../sdk/src/index.ts";
import { dataResult, explainErrors, jobResult } from "./results.ts";

const operationId = z.string().max(100).describe("The id of an operation, such as image/resize.");

const file = z
  .string()
  .describe(
    "A public http or https URL, the id of an upload (upload_…), or a file in a connection (conn_…:path).",
  );

/**
 * The longest search in characters. Every word is compared with every operation, on the main thread
 * of the service.
 */
const maxSearch = 200;

const wait = z
  .number()
  .int()
  .min(0)
  .max(60)
  .default(30)
  .describe("How many seconds to wait for the job's end. 0: return at once.");

const dryRun = z
  .boolean()
  .default(false)
  .describe("Only show the request that would be sent. Nothing is created.");

const metadata = z
  .record(z.string(), z.string())
  .optional()
  .describe("Up to 16 texts that the job returns.");

const readOnly = { readOnlyHint: true, openWorldHint: false };
const creates = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };

/** The tools that find and run operations. */
export function addOperationTools(server: McpServer, client: Client): void {
  server.registerTool(
    "list_operations",
    {
      title: "List operations",
      description:
        "Find operations by group and by words, such as `resize` or `subtitles`. Returns ids and what each does.",
      inputSchema: z.object({
        group: z.enum(["document", "image", "video", "audio", "pipeline"]).optional(),
        search: z.string().max(maxSearch).optional().describe("Words of the id or of the summary."),
      }),
      annotations: readOnly,
    },
    ({ group, search = "" }) =>
      explainErrors(async () => {
        const words = search.toLowerCase().split(/\s+/).filter(Boolean);
        const all = (await client.operations()).filter(
          ({ id }) => !group || id.startsWith(`${group}/`),
        );
        const matches = ({ id, summary }: OperationData) =>
          words.some((word) => `${id} ${summary}`.toLowerCase().includes(word));
        const found = words.length > 0 ? all.filter(matches) : all;
        const operations = found.map(({ id, summary }) => ({ id, summary }));
        return dataResult({ operations });
      }),
  );

  server.registerTool(
    "get_operation",
    {
      title: "Get operation",
      description:
        "Read what an operation accepts: file types, number of files, the JSON Schema of its parameters, and an example.",
      inputSchema: z.object({ id: operationId }),
      annotations: readOnly,
    },
    ({ id }) =>
      explainErrors(async () => {
        const found = (await client.operations()).find((one) => one.id === id);
        if (found) return dataResult(found);
        const text = `There is no operation ${id}. Call list_operations to find one.`;
        return { content: [{ type: "text", text }], isError: true };
      }),
  );

  server.registerTool(
    "run_operation",
    {
      title: "Run operation",
      description:
        "Create a job of one operation and wait for it. Returns the job with links to its output files.",
      inputSchema: z.object({
        operation: operationId,
        input: file.optional().describe("The file, for operations on one file."),
        inputs: z.array(file).optional().describe("The files in order, for several files."),
        params: z
          .record(z.string(), z.unknown())
          .default({})
          .describe("The parameters of the operation; see get_operation."),
        metadata,
        wait_seconds: wait,
        dry_run: dryRun,
      }),
      annotations: creates,
    },
    ({ operation, input, inputs, params, metadata: given, wait_seconds, dry_run }) =>
      explainErrors(() => {
        const files = {
          ...(input === undefined ? {} : { input }),
          ...(inputs === undefined ? {} : { inputs }),
        };
        const body = { ...files, ...params, ...(given ? { metadata: given } : {}) };
        return send(client, `/v1/${operation}`, body, wait_seconds, dry_run);
      }, `Call get_operation with the id ${operation} to see its parameters.`),
  );

  server.registerTool(
    "run_chain",
    {
      title: "Run chain",
      description:
        "Create one job of several operations. Each takes the first output of the one before. Operations on several files or on none cannot be in a chain.",
      inputSchema: z.object({
        input: file,
        operations: z
          .array(
            z.object({ type: operationId, params: z.record(z.string(), z.unknown()).default({}) }),
          )
          .min(1)
          .max(10),
        metadata,
        wait_seconds: wait,
        dry_run: dryRun,
      }),
      annotations: creates,
    },
    ({ wait_seconds, dry_run, ...body }) =>
      explainErrors(
        () => send(client, "/v1/jobs", body, wait_seconds, dry_run),
        "Call get_operation to see the parameters of an operation.",
      ),
  );
}

/** Sends a request that creates a job, or shows it. */
async function send(
  client: Client,
  path: string,
  body: Record<string, unknown>,
  waitSeconds: number,
  isDryRun: boolean,
) {
  if (isDryRun) return dataResult({ dry_run: true, method: "POST", path, body });
  const response = await client.request(path, {
    method: "POST",
    isJson: true,
    headers: {
      "Content-Type": "application/json",
      "Idempotency-Key": crypto.randomUUID(),
      ...(waitSeconds > 0 ? { Prefer: `wait=${waitSeconds}` } : {}),
    },
    body: () => JSON.stringify(body),
  });
  return jobResult(client.job((await response.json()) as JobData));
}
