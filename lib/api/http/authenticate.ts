import { authenticateKey } from "#lib/auth/api-keys.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { RequestError } from "#lib/errors.ts";

/**
 * The account of the request's key, from `X-API-Key` or `Authorization: Bearer`. Throws the same
 * 401 whatever is wrong with the key.
 */
export async function authenticate(request: Request): Promise<Account> {
  const key = request.headers.get("x-api-key") || bearerToken(request);
  const account = key ? await authenticateKey(key.trim()) : undefined;
  if (account) return account;
  throw new RequestError(
    "unauthorized",
    "A valid API key is required, as X-API-Key or as Authorization: Bearer.",
    { headers: { "WWW-Authenticate": "Bearer" } },
  );
}

/** What `Authorization: Bearer` carries. */
export function bearerToken(request: Request): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}
