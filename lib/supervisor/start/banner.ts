import { firstRequest } from "#lib/api/endpoints/operations/first-request.ts";
import { describeSandbox, type SandboxReport } from "#lib/engines/sandbox/describe-sandbox.ts";

/** The account that the first start created; see `lib/auth/first-account.ts`. */
export interface FirstAccount {
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
}

export interface BannerFacts {
  readonly url: string;
  /** The service's URL on this machine. The public URL may not lead here yet. */
  readonly localUrl: string;
  readonly sandbox: SandboxReport;
  readonly account: FirstAccount | undefined;
}

/** The text on the terminal when the service is ready. */
export function formatBanner({ url, localUrl, sandbox, account }: BannerFacts): string {
  const lines = ["", `  Mediamill is ready: ${url}`];
  lines.push(`    dashboard ${url}/dashboard`, `    docs      ${url}/docs`);
  lines.push("", ...describeSandbox(sandbox).map((line) => `  ${line}`));
  if (account) {
    lines.push(
      "",
      "  Your first account (shown only once):",
      `    email    ${account.email}`,
      `    password  ${account.password}   (one-time: you choose your own at the first sign-in)`,
      `    API key   ${account.apiKey}`,
      "",
      "  Try it:",
      "",
      firstRequest(localUrl, account.apiKey),
    );
  }
  return `${lines.join("\n")}\n\n`;
}
