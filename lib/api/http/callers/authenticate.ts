import { countUnknownKey } from "#lib/auth/access/unknown-keys.ts";
import { authenticateKey, isWellFormedKey, isWellFormedToken } from "#lib/auth/api-keys.ts";
import { authenticateToken, type BrowserToken } from "#lib/auth/browser-tokens.ts";

import { classifyOrigin, isOwnOrigin } from "#lib/auth/origin.ts";
import { RequestError } from "#lib/errors.ts";
import { addressIn } from "#lib/net/caller-address.ts";
import { type KeyCaller, keyScopes, type Scope } from "../../definition/access.ts";
import { credentialOf } from "./credential.ts";

/**
 * The account of the request's API key or browser token, from `X-API-Key` or `Authorization: Bearer`, and what
 * it allows. Throws the same 401 for every invalid one, 403 for a valid one of a suspended account and for a
 * token of another origin, and 429 for too many unknown keys from one network.
 */
export async function authenticate(
  request: Request,
): Promise<KeyCaller & { readonly scopes: ReadonlySet<Scope> }> {
  const key = credentialOf(request) ?? "";
  const isToken = isWellFormedToken(key);
  const found = isToken ? await findByToken(key, request) : await findByKey(key);
  if (found?.account.suspendedAt) {
    const message = "This account is suspended. Ask the operator of this service.";
    throw new RequestError("forbidden", message);
  }
  if (found) return { ...found, scopes: keyScopes };
  if (isToken || isWellFormedKey(key)) limitUnknownKeys(request);
  throw new RequestError(
    "unauthorized",
    isToken
      ? "The browser token has expired, or was never valid. Get a new one from your backend."
      : "A valid API key is required. Send it as `X-API-Key` or as `Authorization: Bearer`.",
    { headers: { "WWW-Authenticate": "Bearer" } },
  );
}

async function findByKey(key: string): Promise<KeyCaller | undefined> {
  const found = await authenticateKey(key);
  return found && { account: found.account, apiKeyId: found.keyId };
}

async function findByToken(key: string, request: Request): Promise<KeyCaller | undefined> {
  const found = await authenticateToken(key);
  if (!found) return undefined;
  const { account, token } = found;
  requireOrigin(token, request);
  return { account, apiKeyId: token.apiKeyId, token };
}

/** Throws `forbidden` for a token that was created for the pages of another origin. */
function requireOrigin({ origin }: BrowserToken, { headers }: Request): void {
  if (origin === null || headers.get("origin") === origin) return;
  // Requests that a page reads from its own origin have no `Origin`.
  if (classifyOrigin(headers) === "same-origin" && isOwnOrigin(origin)) return;
  const message = `This browser token is for pages of ${origin} only.`;
  throw new RequestError("forbidden", message);
}

/** Throws `rate_limited` if too many keys from the network of the request did not exist. */
function limitUnknownKeys(request: Request): void {
  const address = addressIn(request.headers);
  const seconds = address === undefined ? 0 : countUnknownKey(address);
  if (seconds === 0) return;
  const message = `Too many requests with unknown API keys came from this network. Try again in ${seconds} s.`;
  const headers = { "Retry-After": String(seconds) };
  throw new RequestError("rate_limited", message, { headers });
}
