import { createHash, createHmac } from "node:crypto";

/** Inngest and its SDK authenticate each other with one key: as a hashed bearer token, and in signatures. */

function withoutPrefix(key: string): string {
  return key.replace(/^signkey-\w+-/, "");
}

/** The bearer token that the SDK sends. */
export function hashSigningKey(key: string): string {
  const prefix = key.slice(0, key.length - withoutPrefix(key).length);
  return prefix + createHash("sha256").update(withoutPrefix(key), "hex").digest("hex");
}

/** The `x-inngest-signature` of a call to an app; `at` in milliseconds since the epoch. */
export function signCall(key: string, body: unknown, at = Date.now()): string {
  const seconds = Math.round(at / 1000);
  const text = body === undefined ? "" : canonical(body);
  const mac = createHmac("sha256", withoutPrefix(key)).update(text).update(String(seconds));
  return `t=${seconds}&s=${mac.digest("hex")}`;
}

/** Returns canonical JSON with sorted keys (RFC 8785, for text and integers). */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
