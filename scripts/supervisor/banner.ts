/** What `lib/auth/first-account.ts` made on the very first start. */
export interface FirstAccount {
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
}

export interface BannerFacts {
  readonly url: string;
  /** Where the machine itself reaches the service; the public address may not lead here yet. */
  readonly localUrl: string;
  readonly sandbox: string;
  readonly account: FirstAccount | undefined;
}

/** What a person sees once the service is ready. */
export function formatBanner({ url, localUrl, sandbox, account }: BannerFacts): string {
  const lines = ["", `  Mediamill is ready: ${url}`];
  if (sandbox !== "full") {
    lines.push(
      "",
      "  WARNING: engines run without a sandbox (SANDBOX=off, or bubblewrap does not work here).",
    );
    lines.push("  A malicious file could read what this user can read.");
  }
  if (account) {
    lines.push(
      "",
      "  This is shown once:",
      `    e-mail    ${account.email}`,
      `    password  ${account.password}   (for one sign-in; choose your own then)`,
      `    API key   ${account.apiKey}`,
      "",
      "  Try it:",
      "",
      curlLine(localUrl, account.apiKey),
      "",
      `  Sandbox: ${sandbox} · the API: ${url}/openapi.json`,
    );
  }
  return `${lines.join("\n")}\n\n`;
}

/** Works when pasted into a POSIX shell; the page comes from stdin, so that no file is needed. */
export function curlLine(url: string, apiKey: string): string {
  return [
    "printf '<h1>Hello</h1>' |",
    `curl -sS -H 'X-API-Key: ${apiKey}' -H 'Prefer: wait=30'`,
    `-F 'file=@-;filename=hello.html;type=text/html' ${url}/v1/document/html-to-pdf`,
  ].join(" ");
}
