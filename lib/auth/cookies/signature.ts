import { createHmac, timingSafeEqual } from "node:crypto";
import { sessionSecret } from "./session-token.ts";

/** The signature of what a cookie or a link says. `parts`: its purpose first, so that it is not valid for another. */
export function signParts(...parts: readonly string[]): string {
  return createHmac("sha256", sessionSecret()).update(parts.join("\n")).digest("hex");
}

/** Whether `signature` is that of `parts`, compared in constant time. */
export function isSignatureOf(signature: string, ...parts: readonly string[]): boolean {
  const [actual, expected] = [Buffer.from(signature), Buffer.from(signParts(...parts))];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
