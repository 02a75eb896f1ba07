import { cache } from "react";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { findOwnDelivery } from "#lib/db/queries/webhooks/deliveries.ts";
import { isId } from "#lib/ids.ts";

/** The account's delivery with this ID, or undefined. Queried once per request. */
export const readDelivery = cache(async (id: string) => {
  const account = await requireAccount();
  return isId(id) ? findOwnDelivery(db(), account.id, id) : undefined;
});
