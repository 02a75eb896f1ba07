import type { BrowserContext } from "@playwright/test";

/**
 * Notes what no page of ours may do: ask another host for anything, throw an error that nobody
 * caught, or be stopped by its own security policy. Returns the notes, which grow.
 */
export function watchContext(context: BrowserContext, ownUrl: string): string[] {
  const wrong: string[] = [];
  const own = new URL(ownUrl).origin;
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.origin !== own) wrong.push(`asked ${url.origin}`);
  });
  context.on("weberror", (error) => wrong.push(`threw ${error.error().message}`));
  context.on("console", (message) => {
    if (/content security policy/i.test(message.text())) wrong.push(message.text());
  });
  return wrong;
}
