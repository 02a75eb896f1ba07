import type { BrowserContext } from "@playwright/test";

/**
 * Records requests to other hosts, uncaught errors and violations of the content security policy.
 * Returns the list, which grows while the context is used.
 */
export function watchContext(context: BrowserContext, serviceUrl: string): string[] {
  const violations: string[] = [];
  const serviceOrigin = new URL(serviceUrl).origin;
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.origin !== serviceOrigin)
      violations.push(`request to ${url.origin}`);
  });
  context.on("weberror", (error) => violations.push(`uncaught error: ${error.error().message}`));
  context.on("console", (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text());
  });
  return violations;
}
