import type { Usage } from "../../../sdk/src/index.ts";
import { createClient } from "../settings/client.ts";
import type { Settings } from "../settings/settings.ts";
import { printJson, printTable } from "../terminal/print.ts";

/** The account of a key, as `GET /v1/account` describes it. */
export interface AccountData {
  readonly email: string;
  readonly plan: string;
  readonly api_key: {
    readonly id: string;
    readonly name: string;
    readonly expires_at: string | null;
  };
}

/** `mediamill whoami` */
export async function showAccount(settings: Settings, isJson: boolean): Promise<void> {
  const response = await createClient(settings).request("/v1/account");
  const account = (await response.json()) as AccountData;
  const { baseUrl, baseUrlSource, profile, apiKeySource } = settings;
  if (isJson) return printJson({ ...account, base_url: baseUrl, profile }, true);
  const { name, id, expires_at } = account.api_key;
  printTable([
    ["Account", `${account.email} (plan ${account.plan})`],
    ["Service", `${baseUrl} (from the ${baseUrlSource})`],
    ["Profile", profile],
    ["API key", `${name}, ${id} (from the ${apiKeySource})`],
    ["Expires", expires_at ?? "never"],
  ]);
}

/** `mediamill usage` */
export async function showUsage(settings: Settings, isJson: boolean): Promise<void> {
  const usage: Usage = await createClient(settings).usage();
  if (isJson) return printJson(usage, true);
  const gigabytes = (value: number | null) =>
    value === null
      ? "unlimited"
      : `${value.toLocaleString("en-US", { maximumFractionDigits: 3 })} GB`;
  printTable([
    ["Plan", usage.plan],
    ["Jobs this month", String(usage.total_jobs)],
    ["Used", gigabytes(usage.gb_used)],
    ["Included", gigabytes(usage.gb_included)],
    ["Remaining", gigabytes(usage.gb_remaining)],
  ]);
}
