import { countUnknownKey } from "#lib/auth/access/unknown-keys.ts";
import { authenticateKey, isWellFormedKey } from "#lib/auth/api-keys.ts";
import { RequestError } from "#lib/errors.ts";
import { addressIn } from "#lib/net/caller-address.ts";
import { type KeyCaller, keyScopes, type Scope } from "../../definition/access.ts";

/**
 * The account of the request's API key, from `X-API-Key` or `Authorization: Bearer`, and what the key
 * allows. Throws the same 401 for every invalid key, 403 for a valid key of a suspended account, and
 * 429 for too many unknown keys from one network.
 */
export async function authenticate(
  request: Request,
): Promise<KeyCaller & { readonly scopes: ReadonlySet<Scope> }> {
  const key = request.headers.get("x-api-key") || bearerToken(request);
  const found = key ? await authenticateKey(key.trim()) : undefined;
  if (found?.account.suspendedAt) {
    const message = "This account is suspended. Ask the operator of this service.";
    throw new RequestError("forbidden", message);
  }
  if (found) return { account: found.account, apiKeyId: found.keyId, scopes: keyScopes };
  if (key && isWellFormedKey(key.trim())) limitUnknownKeys(request);
  throw new RequestError(
    "unauthorized",
    "A valid API key is required. Send it as `X-API-Key` or as `Authorization: Bearer`.",
    { headers: { "WWW-Authenticate": "Bearer" } },
  );
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

/** The token of `Authorization: Bearer`. */
export function bearerToken(request: Request): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}
