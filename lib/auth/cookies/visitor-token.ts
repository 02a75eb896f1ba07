import { cookieName, sessionCookie } from "./session-token.ts";
import { isSignatureOf, signParts } from "./signature.ts";

/**
 * The visitor cookie. A visitor has an account of the plan `visitor`, without an email address or password, for a
 * day: so that jobs and files of visitors are kept apart by the rules for all accounts. The cookie opens nothing but
 * the home page's own requests.
 */
export const visitorCookie = {
  name: cookieName("visitor"),
  options: { ...sessionCookie.options, maxAge: 86_400 },
} as const;

/** The cookie's value for a visitor's account. */
export function createVisitorToken(accountId: string): string {
  return `${accountId}.${signParts("visitor", accountId)}`;
}

/** The ID of the visitor's account; undefined if the token is missing or invalid. */
export function readVisitorToken(token: string | undefined): string | undefined {
  const [accountId = "", signature = ""] = (token ?? "").split(".");
  return isSignatureOf(signature, "visitor", accountId) ? accountId : undefined;
}
