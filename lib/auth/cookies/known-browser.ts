import { randomBytes } from "node:crypto";
import { cookieName, sessionCookie } from "./session-token.ts";
import { isSignatureOf, signParts } from "./signature.ts";

/**
 * The known-browser cookie (OWASP: "device cookie"). A browser that has signed in to an account, or has set
 * a new password by email, keeps a token for it. The token grants no access. It only gives the browser a separate attempt limit, so
 * that an attacker who uses up the account's attempts does not lock out its owner.
 */
export const browserCookie = {
  name: cookieName("known-browser"),
  options: { ...sessionCookie.options, maxAge: 400 * 86_400 },
} as const;

/** A token that proves that this browser has been signed in to this account. */
export function createBrowserToken(accountId: string): string {
  const browser = randomBytes(16).toString("hex");
  return `${browser}.${signParts("browser", browser, accountId)}`;
}

/** The browser's id in `token`; undefined if the token is invalid or for another account. */
export function readBrowserToken(token: string | undefined, accountId: string): string | undefined {
  const [browser = "", signature = ""] = (token ?? "").split(".");
  return isSignatureOf(signature, "browser", browser, accountId) ? browser : undefined;
}
