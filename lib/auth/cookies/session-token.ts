import { createHmac } from "node:crypto";
import type { JWT } from "next-auth/jwt";
import { env } from "#lib/env.ts";
import { acceptedSecrets, serviceSecret } from "#lib/service-secret.ts";

const secure = env.APP_URL.startsWith("https:");

/** The name of a cookie. `__Host-` binds it to this host; browsers accept the prefix only over HTTPS. */
export function cookieName(purpose: string): string {
  return `${secure ? "__Host-" : ""}next-auth.${purpose}`;
}

/** The session cookie: an encrypted JWT from NextAuth that holds the session's id. */
export const sessionCookie = {
  name: cookieName("session-token"),
  options: { httpOnly: true, sameSite: "lax", path: "/", secure },
} as const;

/** The key for sessions, derived separately from the one for download links. */
export function sessionSecret(secret = serviceSecret()): string {
  return createHmac("sha256", secret).update("sessions").digest("hex");
}

/** The content of a session cookie. Null if it is altered, expired, or encrypted with another secret. */
export async function decodeSession(token: string | undefined): Promise<JWT | null> {
  if (!token) return null;
  // Requests of the API, which have no session, do not need the 60 files of its package.
  const { decode } = await import("next-auth/jwt");
  for (const secret of acceptedSecrets()) {
    const content = await decode({ token, secret: sessionSecret(secret) }).catch(() => null);
    if (content) return content;
  }
  return null;
}

/** The session's id in a valid cookie, else undefined. The session may have ended: see the database. */
export async function readSessionId(token: string | undefined): Promise<string | undefined> {
  const content = await decodeSession(token);
  return typeof content?.sid === "string" ? content.sid : undefined;
}

/** Deletes the browser's cookie. The session itself is deleted in the database. */
export function clearSessionCookie(jar: {
  set(name: string, value: string, options: object): unknown;
}): void {
  jar.set(sessionCookie.name, "", { ...sessionCookie.options, maxAge: 0 });
}
