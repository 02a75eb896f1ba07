import { cookies, headers } from "next/headers";
import { addressIn } from "#lib/net/caller-address.ts";
import { browserCookie } from "./cookies/known-browser.ts";
import { readSessionId, sessionCookie } from "./cookies/session-token.ts";

/** The client that sent a request, as far as the request identifies it. */
export interface Caller {
  readonly address: string | undefined;
  readonly userAgent: string | undefined;
  /** The browser's current session, if it has one. A new session replaces it. */
  readonly sessionId: string | undefined;
  /** The known-browser cookie, set when someone signed in with this browser; see `known-browser.ts`. */
  readonly knownBrowser: string | undefined;
}

/** The caller of the current request. */
export async function currentCaller(): Promise<Caller> {
  const sent = await headers();
  const jar = await cookies();
  return {
    address: addressIn(sent),
    userAgent: sent.get("user-agent")?.slice(0, 300) || undefined,
    sessionId: await readSessionId(jar.get(sessionCookie.name)?.value),
    knownBrowser: jar.get(browserCookie.name)?.value,
  };
}
