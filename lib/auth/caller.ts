import { cookies, headers } from "next/headers";
import { browserCookie } from "./known-browser.ts";
import { readSessionId, sessionCookie } from "./session-token.ts";

/** Who sends a request, as far as it tells. */
export interface Caller {
  readonly address: string | undefined;
  readonly userAgent: string | undefined;
  /** The session that the browser has now, if it has one; a new one replaces it. */
  readonly sessionId: string | undefined;
  /** What this browser was given when somebody signed in with it; see `known-browser.ts`. */
  readonly knownBrowser: string | undefined;
}

/** The caller of the present request. */
export async function currentCaller(): Promise<Caller> {
  const sent = await headers();
  const jar = await cookies();
  return {
    // Our web server writes the one address that counts; so do the hosts that have a server of their own.
    address: sent.get("x-forwarded-for")?.split(",")[0]?.trim() || undefined,
    userAgent: sent.get("user-agent")?.slice(0, 300) || undefined,
    sessionId: await readSessionId(jar.get(sessionCookie.name)?.value),
    knownBrowser: jar.get(browserCookie.name)?.value,
  };
}
