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

/** Runs `mediamill whoami`, which prints the account of the key. */
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
