import type { BrowserContext } from "@playwright/test";

/** Signs a browser in to the service at `url` by NextAuth's own requests, without the page. */
export async function signInTo(
  context: BrowserContext,
  url: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  const csrf = await context.request.get(`${url}/api/auth/csrf`);
  const { csrfToken } = await csrf.json();
  const response = await context.request.post(`${url}/api/auth/callback/credentials`, {
    headers: { origin: url },
    form: { csrfToken, email, password, json: "true" },
  });
  if (!response.ok()) {
    throw new Error(`sign-in returned ${response.status()}: ${await response.text()}`);
  }
}
