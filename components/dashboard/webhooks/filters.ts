import { z } from "zod";
import { deliveryStatuses } from "#lib/db/schema/webhook-deliveries.ts";

const id = (prefix: string) =>
  z
    .string()
    .trim()
    .regex(new RegExp(`^${prefix}_[0-9A-Za-z]{1,40}$`));

/** What the address of the page asks for; what it could not mean is left out. */
const query = z.object({
  job: id("job").optional().catch(undefined),
  outcome: z.enum(deliveryStatuses).optional().catch(undefined),
  before: id("whd").optional().catch(undefined),
});

export type DeliveryQuery = z.output<typeof query>;

export function parseDeliveryQuery(given: unknown): DeliveryQuery {
  return query.parse(given);
}

/** The address of the page with these filters. */
export function deliveriesAddress(wanted: DeliveryQuery): string {
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(Object.fromEntries(given)).toString();
  return `/dashboard/webhooks${text && `?${text}`}#deliveries`;
}
