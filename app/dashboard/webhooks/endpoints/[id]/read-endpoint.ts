import { cache } from "react";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { findEndpoint } from "#lib/db/queries/webhooks/endpoints.ts";
import { isId } from "#lib/ids.ts";

/** The account's endpoint with this ID, or undefined. Queried once per request. */
export const readEndpoint = cache(async (id: string) => {
  const account = await requireAccount();
  return isId(id) ? findEndpoint(db(), account.id, id) : undefined;
});
