import { transaction } from "#lib/db/client.ts";
import {
  deleteOldestSessions,
  deleteSession,
  insertSession,
} from "#lib/db/queries/accounts/sessions.ts";
import type { SignInMethod } from "#lib/db/schema/credentials/sessions.ts";
import { createId } from "#lib/ids.ts";
import type { Caller } from "../caller.ts";

/** Sessions per account, so that a program that signs in repeatedly does not fill the table. */
const maxSessions = 50;

/** Starts a session with a new id and ends the browser's previous session. Returns the new id. */
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
    await deleteOldestSessions(tx, accountId, maxSessions);
    return id;
  });
}
