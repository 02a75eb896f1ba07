import { readQueueStatus } from "#lib/jobs/status/queue-status.ts";
import { readCachedStatus } from "#lib/jobs/status/report.ts";
import { readRunnersStatus } from "#lib/jobs/status/runners-status.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { listUnavailableOperations } from "../../job-creation/unavailable-operations.ts";

/** The status page as JSON. Pages of any origin may read it. */
export const readStatus = defineEndpoint({
  method: "GET",
  path: "/status.json",
  operationId: "readStatus",
  tag: "Account",
  summary: "Read the state of each engine, its availability and its incidents.",
  internal: true,
  access: "public",
  responses: {
    200: { description: "The report.", content: { "application/json": { type: "object" } } },
  },
  async handler() {
    const [report, runners, queue, unavailable] = await Promise.all([
      readCachedStatus(),
      readRunnersStatus(),
      readQueueStatus(),
      listUnavailableOperations(),
    ]);
    const unavailable_operations = unavailable.map(({ id, message }) => ({ id, message }));
    return Response.json(
      { ...report, runners, queue, unavailable_operations },
      { headers: { "Access-Control-Allow-Origin": "*", "Cache-Control": "public, max-age=2" } },
    );
  },
});
