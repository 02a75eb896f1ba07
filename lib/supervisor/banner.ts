import { firstRequest } from "#lib/api/first-request.ts";
import { describeSandbox, type SandboxReport } from "#lib/engines/sandbox/report.ts";

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
  readonly sandbox: SandboxReport;
  readonly account: FirstAccount | undefined;
}

/** What a person sees once the service is ready. */
export function formatBanner({ url, localUrl, sandbox, account }: BannerFacts): string {
  const lines = ["", `  Mediamill is ready: ${url}`];
  lines.push(`    dashboard ${url}/dashboard`, `    docs      ${url}/docs`);
  lines.push("", ...describeSandbox(sandbox).map((line) => `  ${line}`));
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
      firstRequest(localUrl, account.apiKey),
    );
  }
  return `${lines.join("\n")}\n\n`;
}
