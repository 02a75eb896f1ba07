import { z } from "zod";
import { deliveryStatuses } from "#lib/db/schema/webhook-deliveries.ts";

const id = (prefix: string) =>
  z
    .string()
    .trim()
    .regex(new RegExp(`^${prefix}_[0-9A-Za-z]{1,40}$`));

/** The query of the page's URL. Invalid values are ignored. */
const query = z.object({
  job: id("job").optional().catch(undefined),
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
