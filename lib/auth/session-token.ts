import { createHmac } from "node:crypto";
import { decode } from "next-auth/jwt";
import { env } from "#lib/env.ts";

const secure = env.APP_URL.startsWith("https:");

/**
 * The cookie of a session: an encrypted JWT that NextAuth makes, with the session's id in it.
 * `__Host-` pins it to this very host, where browsers allow that.
 */
export const sessionCookie = {
  name: `${secure ? "__Host-" : ""}next-auth.session-token`,
  options: { httpOnly: true, sameSite: "lax", path: "/", secure },
} as const;

/** The key material of sessions, apart from that of download links. */
export function sessionSecret(): string {
  if (!env.SECRET) throw new Error("SECRET is not set for this process");
  return createHmac("sha256", env.SECRET).update("sessions").digest("hex");
}

/** The session's id in a cookie that we made; undefined for any other. Whether it still lasts, the database says. */
export async function readSessionId(token: string | undefined): Promise<string | undefined> {
  if (!token) return undefined;
  try {
    const content = await decode({ token, secret: sessionSecret() });
    return typeof content?.sid === "string" ? content.sid : undefined;
  } catch {
    return undefined; // altered, expired, or made with another secret
  }
}

/** Takes the cookie away from the browser; the session itself is ended in the database. */
export function forgetSessionCookie(jar: {
  set(name: string, value: string, options: object): unknown;
}): void {
  jar.set(sessionCookie.name, "", { ...sessionCookie.options, maxAge: 0 });
}
