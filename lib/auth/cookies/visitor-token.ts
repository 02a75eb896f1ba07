import { createHmac, timingSafeEqual } from "node:crypto";
import { sessionCookie, sessionSecret } from "./session-token.ts";

/**
 * The visitor cookie. A visitor has an account of the plan `visitor`, without an email address or password, for a
 * day: so that jobs and files of visitors are kept apart by the rules for all accounts. The cookie opens nothing but
 * the home page's own requests.
 */
export const visitorCookie = {
  name: sessionCookie.name.replace("session-token", "visitor"),
  options: { ...sessionCookie.options, maxAge: 86_400 },
} as const;

/** The cookie's value for a visitor's account. */
export function createVisitorToken(accountId: string): string {
  return `${accountId}.${sign(accountId)}`;
}

/** The ID of the visitor's account; undefined if the token is missing or invalid. */
export function readVisitorToken(token: string | undefined): string | undefined {
  const [accountId = "", signature = ""] = (token ?? "").split(".");
  const actual = Buffer.from(signature);
  const expected = Buffer.from(sign(accountId));
  const isValid = actual.length === expected.length && timingSafeEqual(actual, expected);
  return isValid ? accountId : undefined;
}

function sign(accountId: string): string {
  return createHmac("sha256", sessionSecret()).update(`visitor\n${accountId}`).digest("hex");
}
