/** Signs in by NextAuth's requests. Resolves with the value of the Cookie header. */
export async function signIn(
  url: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<string> {
  const csrf = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const response = await fetch(`${url}/api/auth/callback/credentials`, {
    method: "POST",
    headers: {
      origin: url,
      cookie: readCookies(csrf).join("; "),
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
  });
  if (!response.ok) throw new Error(`sign-in: ${response.status} ${await response.text()}`);
  return [...readCookies(csrf), ...readCookies(response)].join("; ");
}

function readCookies(response: Response): string[] {
  return response.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
}
