import { authenticateKey } from "#lib/auth/api-keys.ts";
import { RequestError } from "#lib/errors.ts";
import { type KeyCaller, keyScopes, type Scope } from "../definition/access.ts";

/**
 * The account of the request's API key, from `X-API-Key` or `Authorization: Bearer`, and what the key
 * allows. Throws the same 401 for every invalid key, and 403 for a valid key of a suspended account.
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
  throw new RequestError(
    "unauthorized",
    "A valid API key is required. Send it as `X-API-Key` or as `Authorization: Bearer`.",
    { headers: { "WWW-Authenticate": "Bearer" } },
  );
}

/** The token of `Authorization: Bearer`. */
export function bearerToken(request: Request): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}
