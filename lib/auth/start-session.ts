import { transaction } from "#lib/db/client.ts";
import {
  deleteOldestSessions,
  deleteSession,
  insertSession,
} from "#lib/db/queries/accounts/sessions.ts";
import type { SignInMethod } from "#lib/db/schema/sessions.ts";
import { createId } from "#lib/ids.ts";
import type { Caller } from "./caller.ts";

/** Of one account: programs that sign in again and again must not fill the table. */
const mostSessions = 50;

/** Starts a session with an id of its own, whatever the browser had before; that one ends. */
export function startSession(
  accountId: string,
  method: SignInMethod,
  caller: Caller,
): Promise<string> {
  const id = createId("ses");
  const { address = null, userAgent = null, sessionId } = caller;
  return transaction(async (tx) => {
    if (sessionId) await deleteSession(tx, sessionId);
    await insertSession(tx, { id, accountId, method, address, userAgent });
    await deleteOldestSessions(tx, accountId, mostSessions);
    return id;
  });
}
