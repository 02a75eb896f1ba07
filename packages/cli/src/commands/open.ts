import { UsageError } from "../errors.ts";
import type { Settings } from "../settings/settings.ts";
import { openInBrowser } from "../terminal/browser.ts";
import { printLine } from "../terminal/print.ts";

const pages: Readonly<Record<string, string>> = {
  dashboard: "/dashboard",
  jobs: "/dashboard/jobs",
  keys: "/dashboard/keys",
  webhooks: "/dashboard/webhooks",
  playground: "/dashboard/playground",
  settings: "/dashboard/settings",
  docs: "/docs",
};

/** Runs `mediamill open`, which prints the URL, and opens it where there is a browser. */
export async function openPage({ baseUrl }: Settings, page = "dashboard"): Promise<void> {
  const path = /^job_\w+$/.test(page) ? `/dashboard/jobs/${page}` : pages[page];
  if (!path) {
    const names = Object.keys(pages).join(", ");
    throw new UsageError(`There is no page ${page}. Pages: ${names}, or the id of a job.`);
  }
  printLine(baseUrl + path);
  openInBrowser(baseUrl + path);
}
