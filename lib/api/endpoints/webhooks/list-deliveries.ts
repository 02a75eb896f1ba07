import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { listDeliveries as queryDeliveries } from "#lib/db/queries/webhooks/deliveries.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { pageFields, pageQuery } from "../../definition/parameters.ts";
import { deliverySchema, serializeDelivery } from "./delivery.ts";

const listSchema = z
  .strictObject({ deliveries: z.array(deliverySchema), ...pageFields })
  .meta({ id: "DeliveryList", description: "A page of webhook deliveries." });

/** An id, of which none may exist. */
const subject = z
  .string()
  .max(64)
  .refine((text) => !text.includes("\0"), "must have no NUL character");

export const listDeliveries = defineEndpoint({
  method: "GET",
  path: "/v1/webhooks/deliveries",
  operationId: "listDeliveries",
  tag: "Webhooks",
  summary: "List webhook deliveries with every attempt, newest first.",
  access: "apiKey",
  scope: "webhooks:read",
  query: z.strictObject({
    job: subject.optional().describe("Only deliveries of this job."),
    endpoint: subject.optional().describe("Only deliveries to this endpoint."),
    ...pageQuery("Deliveries"),
  }),
  responses: { 200: { description: "A page of deliveries.", body: listSchema } },
  async handler({ account, query: { job, endpoint, limit, offset } }) {
    const rows = await queryDeliveries(
      db(),
      account.id,
      { jobId: job, endpointId: endpoint },
      { limit, offset },
    );
    return { deliveries: rows.map(serializeDelivery), limit, offset };
  },
});
