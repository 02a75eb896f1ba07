import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { db, type Queryable } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { findActiveKey, insertApiKey, touchApiKey } from "#lib/db/queries/accounts/api-keys.ts";
import type { KeyEnvironment } from "#lib/db/schema/credentials/api-keys.ts";
import { createId, randomBase62, toBase62 } from "#lib/ids.ts";

/**
 * API keys: a prefix, 30 random base62 characters (178 bits), then the CRC-32 of all preceding
 * characters as 6 base62 characters. Secret scanners recognize the form, and a typo is rejected
 * without a database query. The prefix says to people what the key is for: it decides nothing.
 */
const prefixes = { production: "mm_live_", development: "mm_test_" } as const satisfies Record<
  KeyEnvironment,
  string
>;
const keyPattern = /^mm_(?:live|test)_[0-9A-Za-z]{36}$/;

/** Browser tokens have the form of keys with a prefix of their own. */
const tokenPattern = /^mm_token_[0-9A-Za-z]{36}$/;

/** The text with `***` in place of what follows the prefix of each API key and browser token. */
export function hideApiKeys(text: string): string {
  return text.replaceAll(/(mm_(?:live|test|token)_)\w+/g, "$1***");
}

function checksum(text: string): string {
  return toBase62(crc32(text), 6);
}

export function generateApiKey(environment: KeyEnvironment = "production"): string {
  return generateSecret(prefixes[environment]);
}

/** A browser token. */
export function generateToken(): string {
  return generateSecret("mm_token_");
}

function generateSecret(prefix: string): string {
  const body = prefix + randomBase62(30);
  return body + checksum(body);
}

export function isWellFormedKey(key: string): boolean {
  return keyPattern.test(key) && hasChecksum(key);
}

export function isWellFormedToken(token: string): boolean {
  return tokenPattern.test(token) && hasChecksum(token);
}

function hasChecksum(secret: string): boolean {
  return checksum(secret.slice(0, -6)) === secret.slice(-6);
}

export function hashApiKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

export interface NewApiKey {
  readonly keyId: string;
  /** The key itself. It is not stored and cannot be shown again. */
  readonly apiKey: string;
}

/** A generous limit that stops a runaway script. */
export const maxActiveKeys = 100;

/** Creates a key for an account. */
export async function createApiKey(
  accountId: string,
  options: {
    name?: string;
    environment?: KeyEnvironment;
    expiresAt?: Date | null;
  } = {},
  tx: Queryable = db(),
): Promise<NewApiKey> {
  const environment = options.environment ?? "production";
  const apiKey = generateApiKey(environment);
  const keyId = createId("key");
  await insertApiKey(tx, {
    id: keyId,
    accountId,
    name: options.name ?? "API key",
    hash: hashApiKey(apiKey),
    prefix: apiKey.slice(0, 12),
    lastFour: apiKey.slice(-4),
    environment,
    expiresAt: options.expiresAt ?? null,
  });
  return { keyId, apiKey };
}

/** The id and account of `key`. Undefined if the key is malformed, unknown, expired or revoked. */
export async function authenticateKey(
  key: string,
): Promise<{ keyId: string; account: Account } | undefined> {
  if (!isWellFormedKey(key)) return undefined;
  const found = await findActiveKey(db(), hashApiKey(key));
  if (!found) return undefined;
  const { keyId, account, needsTouch } = found;
  if (needsTouch) await touchApiKey(db(), keyId);
  return { keyId, account };
}
