import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Client } from "../../sdk/src/client.ts";
import type { WebhookEndpointFields } from "../../sdk/src/index.ts";
import { dataResult, explainErrors } from "./results.ts";

const id = z.string().max(64).describe("The id of an endpoint (we_…).");

/** The tools for webhook endpoints. */
export function addEndpointTools(server: McpServer, client: Client): void {
  const { webhookEndpoints } = client;
  server.registerTool(
    "list_webhook_endpoints",
    {
      title: "List webhook endpoints",
      description: "List the URLs that get events of the account, and whether they work.",
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () => explainErrors(async () => dataResult({ endpoints: await webhookEndpoints.list() })),
  );

  server.registerTool(
    "create_webhook_endpoint",
    {
      title: "Create webhook endpoint",
      description:
        "Send events of the account to a URL. The result has the secret that signs them.",
      inputSchema: z.object({
        url: z.string().max(2048),
        events: z
          .array(z.string().max(100))
          .min(1)
          .describe("Types such as job.completed and job.failed, job.* for all of jobs, or *."),
        description: z.string().max(200).default(""),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    ({ url, events, description }) =>
      explainErrors(async () => {
        // The service checks the types.
        const types = events as WebhookEndpointFields["events"];
        const created = await webhookEndpoints.create({ url, events: types, description });
        return dataResult({ ...created });
      }),
  );

  server.registerTool(
    "test_webhook_endpoint",
    {
      title: "Test webhook endpoint",
      description: "Send a test event to a webhook endpoint.",
      inputSchema: z.object({ id }),
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    (given) =>
      explainErrors(async () => dataResult({ ...(await webhookEndpoints.test(given.id)) })),
  );

  server.registerTool(
    "delete_webhook_endpoint",
    {
      title: "Delete webhook endpoint",
      description: "Delete a webhook endpoint. What waits for it is not sent.",
      inputSchema: z.object({ id }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    },
    (given) =>
      explainErrors(async () => {
        await webhookEndpoints.delete(given.id);
        return dataResult({ deleted: given.id });
      }),
  );
}
