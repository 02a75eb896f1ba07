import { provenanceOf } from "#lib/auth/origin.ts";
import { currentAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { type Account, findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { RequestError } from "#lib/errors.ts";
import { answerFor, type Endpoint, type KeyedContext } from "./route.ts";

/**
 * An endpoint of our own pages: whoever is signed in needs no key, within the same limits. What may
 * change something must come from a page of ours.
 */
export function signedIn(
  handle: (context: KeyedContext) => Promise<Response>,
  { createsWork = false } = {},
): Endpoint {
  return async (context) => {
    const { request } = context;
    const reads = request.method === "GET" || request.method === "HEAD";
    if (!reads && provenanceOf(request.headers) !== "own") {
      const sentence = "This request did not come from a page of this service.";
      throw new RequestError("forbidden", sentence);
    }
    return answerFor(await requireSignedIn(), context, handle, createsWork);
  };
}

async function requireSignedIn(): Promise<Account> {
  const session = await currentAccount();
  const account = session && (await findAccount(db(), session.id));
  if (!account) throw new RequestError("unauthorized", "Sign in again to go on.");
  if (session.mustSetPassword) throw new RequestError("forbidden", "Set your password first.");
  return account;
}
