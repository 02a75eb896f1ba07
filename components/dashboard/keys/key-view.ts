import type { ApiKey } from "#lib/db/queries/accounts/api-keys.ts";
import type { KeyEnvironment } from "#lib/db/schema/api-keys.ts";

/** A key as the page shows it; times in RFC 3339. */
export interface KeyView {
  readonly id: string;
  readonly name: string;
  readonly environment: KeyEnvironment;
  /** `mm_live_a1B2…x9Yz`: its first twelve characters and its last four. */
  readonly shown: string;
  readonly state: "active" | "expired" | "revoked";
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
}

export function viewKey(key: ApiKey, now: Date): KeyView {
  const expired = key.expiresAt !== null && key.expiresAt <= now;
  return {
    id: key.id,
    name: key.name,
    environment: key.environment,
    shown: `${key.prefix}…${key.lastFour}`,
    state: key.revokedAt ? "revoked" : expired ? "expired" : "active",
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
  };
}
