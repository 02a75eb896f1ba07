import { createHmac, timingSafeEqual } from "node:crypto";
import { acceptedSecrets } from "#lib/service-secret.ts";
import { sessionSecret } from "./session-token.ts";

/** The signature of what a cookie or a link says. `parts`: its purpose first, so that it is not valid for another. */
export function signParts(...parts: readonly string[]): string {
  return signWith(sessionSecret(), parts);
}

/** Whether `signature` is that of `parts`, compared in constant time. */
export function isSignatureOf(signature: string, ...parts: readonly string[]): boolean {
  const actual = Buffer.from(signature);
  return acceptedSecrets().some((secret) => {
    const expected = Buffer.from(signWith(sessionSecret(secret), parts));
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  });
}

function signWith(key: string, parts: readonly string[]): string {
  return createHmac("sha256", key).update(parts.join("\n")).digest("hex");
}
