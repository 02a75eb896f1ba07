import { db } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import {
  type BrowserToken,
  findActiveToken,
  hasTokenOfOrigin,
  insertBrowserToken,
} from "#lib/db/queries/accounts/browser-tokens.ts";
import { createId } from "#lib/ids.ts";
import { generateToken, hashApiKey, isWellFormedToken } from "./api-keys.ts";

export type { BrowserToken } from "#lib/db/queries/accounts/browser-tokens.ts";

/** What a new token may do; see the table. */
export type TokenRights = Pick<BrowserToken, "operations" | "maxBytes" | "maxJobs" | "origin"> & {
  readonly ttlSeconds: number;
};

export interface NewBrowserToken {
  /** The token itself. It is not stored. */
  readonly token: string;
  readonly expiresAt: Date;
}

/** Creates a token that ends by itself, and with the API key. */
export async function createBrowserToken(
  owner: { readonly account: Pick<Account, "id">; readonly apiKeyId: string },
  { ttlSeconds, ...rights }: TokenRights,
): Promise<NewBrowserToken> {
  const token = generateToken();
  const expiresAt = new Date(Date.now() + ttlSeconds * 1000);
  await insertBrowserToken(db(), {
    id: createId("tok"),
    accountId: owner.account.id,
    apiKeyId: owner.apiKeyId,
    hash: hashApiKey(token),
    expiresAt,
    ...rights,
  });
  return { token, expiresAt };
}

/** The token and its account. Undefined if the token is malformed, unknown or has ended. */
export async function authenticateToken(
  token: string,
): Promise<{ token: BrowserToken; account: Account } | undefined> {
  return isWellFormedToken(token) ? findActiveToken(db(), hashApiKey(token)) : undefined;
}

/** Whether the token may run the operation. */
export function allowsOperation({ operations }: BrowserToken, id: string): boolean {
  return operations.some((pattern) => matchesOperation(pattern, id));
}

/** Whether a pattern is for the operation: its id, all of its group (`image/*`), or `*`. */
export function matchesOperation(pattern: string, id: string): boolean {
  if (pattern === "*" || pattern === id) return true;
  return pattern.endsWith("/*") && id.startsWith(pattern.slice(0, -1));
}

/** Whether pages of the origin have a token, or had one in the last day and may learn that it has ended. */
export function isTokenOrigin(origin: string): Promise<boolean> {
  return hasTokenOfOrigin(db(), origin);
}
