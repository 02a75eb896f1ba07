import { type Grant, isGrantValid, watchGrant } from "#lib/auth/access/grants.ts";
import { RequestError } from "#lib/errors.ts";
import type { AccountCaller } from "../../definition/access.ts";
import { authenticate } from "../callers/authenticate.ts";

/** What the access of the request's caller depends on. */
export function grantOf({ account, apiKeyId, token, sessionId }: AccountCaller): Grant {
  if (sessionId !== undefined) return { kind: "session", id: sessionId };
  if (token) return { kind: "token", id: token.id };
  if (apiKeyId !== undefined) return { kind: "key", id: apiKeyId };
  return { kind: "account", id: account.id };
}

/** A wait that is shorter needs no second check, as no other request does. In milliseconds. */
const shortWaitMs = 250;

/**
 * The result of a long poll. The signal of `wait` is aborted when the client disconnects or the caller
 * loses access. Then, throws the error of a request without access.
 */
export async function waitWhileGranted<Result>(
  caller: AccountCaller & { readonly request: Request },
  wait: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const grant = grantOf(caller);
  const ended = new AbortController();
  const unwatch = watchGrant(grant, () => ended.abort());
  const startedAt = Date.now();
  try {
    const result = await wait(AbortSignal.any([caller.request.signal, ended.signal]));
    const isShort = Date.now() - startedAt < shortWaitMs;
    if (isShort || (await isGrantValid(grant))) return result;
  } finally {
    unwatch();
  }
  // Says why: the key is not valid, or its account is suspended.
  if (grant.kind === "key" || grant.kind === "token") await authenticate(caller.request);
  throw new RequestError("unauthorized", "Sign in again to continue.");
}
