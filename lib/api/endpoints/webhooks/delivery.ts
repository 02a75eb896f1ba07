import { z } from "zod";
import { deliveryTypes } from "#lib/db/schema/event-types.ts";
import { type DeliveryRow, deliveryStatuses } from "#lib/db/schema/webhook-deliveries.ts";

const time = z.iso.datetime().describe("RFC 3339, UTC.");

export const deliveryId = z
  .string()
  .regex(/^whd_[0-9A-Za-z]{24}$/, "There is no such delivery.")
  .describe("The delivery's id.");

/** The limit of `lib/webhooks/manual-sends.ts`, for the descriptions of endpoints. */
export const manualSendLimit =
  "An account can send 20 webhooks by hand at once, then one every 10 seconds, and 100 of them can wait for one host.";

/** A webhook delivery with all its attempts, as clients see it. */
export const deliverySchema = z
  .strictObject({
    id: deliveryId.describe(
      "The webhook-id, the same for every attempt. Only a replay has the one of what it repeats.",
    ),
    job: z
      .string()
      .regex(/^job_[0-9A-Za-z]{24}$/)
      .nullable()
      .describe("Null for an event that is not about a job, a sample and a replay."),
    endpoint: z
      .string()
      .nullable()
      .describe("The endpoint that it goes to; null for `webhook_url` and what is sent to a URL."),
    type: z.enum(deliveryTypes),
    url: z.string(),
    status: z.enum(deliveryStatuses),
    attempts: z.array(
      z.strictObject({
        at: time,
        status: z
          .number()
          .int()
          .min(0)
          .nullable()
          .describe("The status of the response; null if there was none."),
        duration_ms: z.number().min(0),
        response: z
          .string()
          .describe("The first KiB of the response, or why there was no response."),
      }),
    ),
    next_attempt_at: time.nullable().describe("Null if there is no further attempt."),
    created_at: time,
  })
  .meta({ id: "Delivery", description: "A webhook delivery." });

export function serializeDelivery(row: DeliveryRow): z.infer<typeof deliverySchema> {
  return {
    id: row.id,
    job: row.jobId,
    endpoint: row.endpointId,
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
