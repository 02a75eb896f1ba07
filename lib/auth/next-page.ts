import { cookies } from "next/headers";
import { cookieName, sessionCookie } from "./cookies/session-token.ts";
import { safeRedirectPath } from "./origin.ts";

/**
 * The page that a visitor wanted, while an email is on its way to them. It is in a cookie and not in the email's link,
 * because anyone can have an email sent to any address: nothing in it is of their choice.
 */
const name = cookieName("next-page");
const maxAge = 86_400;
/** Escaped. Browsers keep about 4096 bytes, and send them with every request. */
const maxLength = 2000;

/** Keeps the page for `takeNextPage`, in place of the one that was kept before. One that is too long is not kept. */
export async function keepNextPage(target: unknown): Promise<void> {
  const value = safeRedirectPath(target);
  const jar = await cookies();
  if (encodeURIComponent(value).length > maxLength) removeFrom(jar);
  else jar.set({ name, value, ...sessionCookie.options, maxAge });
}

/** The kept page, or the dashboard. The browser forgets it. */
export async function takeNextPage(): Promise<string> {
  const jar = await cookies();
  const next = safeRedirectPath(jar.get(name)?.value);
  removeFrom(jar);
  return next;
}

function removeFrom(jar: Awaited<ReturnType<typeof cookies>>): void {
  jar.set({ name, value: "", ...sessionCookie.options, maxAge: 0 });
}
