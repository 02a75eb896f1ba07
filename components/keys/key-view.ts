import type { ApiKey } from "#lib/db/queries/accounts/api-keys.ts";
import type { KeyEnvironment } from "#lib/db/schema/credentials/api-keys.ts";

/** A key as plain data for the keys page; times in RFC 3339. */
export interface KeyView {
  readonly id: string;
  readonly name: string;
  readonly environment: KeyEnvironment;
  /** The key's first twelve and last four characters: `mm_live_a1B2…x9Yz`. */
  readonly maskedKey: string;
  readonly status: "active" | "expired" | "revoked";
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
}

export function toKeyView(key: ApiKey, now: Date): KeyView {
  const expired = key.expiresAt !== null && key.expiresAt <= now;
  return {
    id: key.id,
    name: key.name,
    environment: key.environment,
    maskedKey: `${key.prefix}…${key.lastFour}`,
    status: key.revokedAt ? "revoked" : expired ? "expired" : "active",
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
  };
}
