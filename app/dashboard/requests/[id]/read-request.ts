import { cache } from "react";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { findRequest } from "#lib/db/queries/requests/lists.ts";
import { isId } from "#lib/ids.ts";

/** The account's request with this ID, or undefined. Queried once per request. */
export const readRequest = cache(async (id: string) => {
  const account = await requireAccount();
  return isId(id) ? findRequest(db(), account.id, id) : undefined;
});
