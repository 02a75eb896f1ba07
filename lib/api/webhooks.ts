import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { listDeliveries } from "#lib/db/queries/webhooks/deliveries.ts";
import type { DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";
import { RequestError } from "#lib/errors.ts";
import { resendDelivery, sendTest } from "#lib/webhooks/deliveries.ts";
import { readJson } from "./http/body.ts";
import type { KeyedContext } from "./http/route.ts";
import { describeIssue, inputSchema, reportInput } from "./http/schema-messages.ts";
import { parseAddress } from "./job-request.ts";
import { integerText, parseQuery } from "./read-jobs.ts";

/** Query of `GET /v1/webhooks/deliveries`. */
export const deliveryQuery = z.strictObject({
  job: z.string().max(64).optional().describe("Only deliveries of this job."),
  limit: integerText(1, 100).default(20).describe("Deliveries on a page."),
  offset: integerText(0, 1_000_000_000).default(0).describe("Deliveries to pass over."),
});

/** Body of `POST /v1/webhooks/test`. */
export const testRequest = z.strictObject({
  url: z.string().describe("Address that gets the test event."),
});

/** `GET /v1/webhooks/deliveries`: the account's deliveries with every attempt, newest first. */
export async function answerDeliveries({ account, url }: KeyedContext): Promise<Response> {
  const { job, limit, offset } = parseQuery(deliveryQuery, url);
  const rows = await listDeliveries(db(), account.id, job, { limit, offset });
  return Response.json({ deliveries: rows.map(describeDelivery), limit, offset });
}

/** `POST /v1/webhooks/deliveries/{id}/resend`: the delivery again, under the same `webhook-id`. */
export async function answerResend({ account, params }: KeyedContext): Promise<Response> {
  const delivery = await resendDelivery(account.id, params.id ?? "");
  if (!delivery) throw new RequestError("not_found", "There is no such delivery.");
  return Response.json(describeDelivery(delivery), { status: 202 });
}

/** `POST /v1/webhooks/test`: a signed test event to an address. */
export async function answerWebhookTest({ account, request }: KeyedContext): Promise<Response> {
  const parsed = testRequest.safeParse(await readJson(request), reportInput);
  if (!parsed.success) {
    const sentence = describeIssue(parsed.error, inputSchema(testRequest));
    throw new RequestError("invalid_parameter", sentence);
  }
  const delivery = await sendTest(account.id, parseAddress("url", parsed.data.url));
  return Response.json(describeDelivery(delivery), { status: 202 });
}

function describeDelivery(row: DeliveryRow) {
  return {
    id: row.id,
    job: row.jobId,
    type: row.event,
    url: row.url,
    status: row.status,
    attempts: row.attempts.map(({ at, status, durationMs, response }) => ({
      at,
      status,
      duration_ms: durationMs,
      response,
    })),
    next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}
