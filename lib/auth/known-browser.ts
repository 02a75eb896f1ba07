import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { sessionCookie, sessionSecret } from "./session-token.ts";

/**
 * A browser that somebody has signed in with keeps a token for that account, which opens nothing: it
 * has attempts of its own, so that nobody can keep an account's owner out by guessing all the time
 * (OWASP's "device cookies").
 */
export const browserCookie = {
  name: sessionCookie.name.replace("session-token", "known-browser"),
  options: { ...sessionCookie.options, maxAge: 400 * 86_400 },
} as const;

/** A token that says: this browser has been signed in to this account. */
export function makeBrowserToken(accountId: string): string {
  const browser = randomBytes(16).toString("hex");
  return `${browser}.${sign(browser, accountId)}`;
}

/** The browser that `token` names, where it was made for this account. */
export function readBrowserToken(token: string | undefined, accountId: string): string | undefined {
  const [browser = "", signature = ""] = (token ?? "").split(".");
  const given = Buffer.from(signature);
  const expected = Buffer.from(sign(browser, accountId));
  return given.length === expected.length && timingSafeEqual(given, expected) ? browser : undefined;
}

function sign(browser: string, accountId: string): string {
  return createHmac("sha256", sessionSecret())
    .update(`browser\n${browser}\n${accountId}`)
    .digest("hex");
}
