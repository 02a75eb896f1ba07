import { z } from "zod";
import { deliveryStatuses } from "#lib/db/schema/webhook-deliveries.ts";

const id = (prefix: string) =>
  z
    .string()
    .trim()
    .regex(new RegExp(`^${prefix}_[0-9A-Za-z]{1,40}$`));

/** What was entered as the id of a job. Text of up to 100 characters that is none is kept: no delivery matches it. */
const job = z
  .string()
  .trim()
  .regex(/^\P{Cc}{1,100}$/u);

/** The query of the page's URL. Invalid values are ignored. */
const query = z.object({
  job: job.optional().catch(undefined),
  endpoint: id("we").optional().catch(undefined),
  status: z.enum(deliveryStatuses).optional().catch(undefined),
  before: id("whd").optional().catch(undefined),
});

export type DeliveryQuery = z.output<typeof query>;

export function parseDeliveryQuery(given: unknown): DeliveryQuery {
  return query.parse(given);
}

/** The page's URL with these filters. */
export function deliveriesUrl(filters: DeliveryQuery): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(Object.fromEntries(given)).toString();
  return `/dashboard/webhooks${text && `?${text}`}#deliveries`;
}
