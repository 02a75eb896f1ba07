import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { AuthenticationError, Mediamill } from "../../../sdk/src/index.ts";
import { CliError, UsageError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { createClient } from "../settings/client.ts";
import { readUserFile, updateProfile, writeUserFile } from "../settings/files.ts";
import type { Settings } from "../settings/settings.ts";
import { openInBrowser } from "../terminal/browser.ts";
import { notify, printable, style } from "../terminal/print.ts";

interface DeviceCode {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_url: string;
  readonly verification_url_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

interface DeviceKey {
  readonly api_key: string;
  readonly name: string;
  readonly email: string;
  readonly expires_at: string;
}

const maxNameLength = 60;

/**
 * Runs `mediamill login`: the user approves this machine in the browser; its key is saved in the
 * profile.
 */
export async function login(
  { baseUrl, profile }: Settings,
  { name, browser }: { readonly name?: string; readonly browser: boolean },
): Promise<void> {
  const client = new Mediamill({ apiKey: "", baseUrl });
  const device = (name ?? `mediamill on ${hostname()}`).slice(0, maxNameLength);
  const response = await post(client, "/v1/device/codes", { name: device });
  const code = (await response.json()) as DeviceCode;
  notify(`Open ${printable(code.verification_url_complete)}`);
  notify(`and approve the code ${style("bold", printable(code.user_code))}. Waiting …`);
  if (browser && new URL(code.verification_url_complete).origin === new URL(baseUrl).origin) {
    openInBrowser(code.verification_url_complete);
  }
  const key = await waitForKey(client, code);
  const { api_key, expires_at, email } = key;
  await updateProfile(profile, { base_url: baseUrl, api_key, expires_at });
  const file = await readUserFile();
  if (!file.profile) await writeUserFile({ ...file, profile });
  const end = expires_at.slice(0, 10);
  notify(
    `Signed in as ${printable(email)}. The key “${printable(key.name)}” is valid until ${end}.`,
  );
}

async function waitForKey(client: Mediamill, code: DeviceCode): Promise<DeviceKey> {
  const deadline = Date.now() + code.expires_in * 1000;
  while (Date.now() < deadline) {
    await sleep(code.interval * 1000);
    const response = await post(client, "/v1/device/token", { device_code: code.device_code });
    if (response.status === 200) return (await response.json()) as DeviceKey;
    await response.body?.cancel();
  }
  const message = "No one approved the code in time. Run `mediamill login` again.";
  throw new CliError(message, exitCodes.access);
}

function post(client: Mediamill, path: string, body: object): Promise<Response> {
  return client.request(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: () => JSON.stringify(body),
  });
}

/** Runs `mediamill logout`, which revokes the profile's key and forgets it. */
export async function logout(settings: Settings): Promise<void> {
  const { profile: name } = settings;
  const profile = (await readUserFile()).profiles?.[name];
  if (!profile?.api_key) {
    throw new UsageError(`The profile ${name} has no key. \`mediamill profiles\` lists them.`);
  }
  const own = { ...settings, apiKey: profile.api_key, baseUrl: profile.base_url };
  try {
    await createClient(own).request("/v1/account/key", { method: "DELETE" });
  } catch (error) {
    // It was revoked or has expired before.
    if (!(error instanceof AuthenticationError)) throw error;
  }
  await updateProfile(name, { base_url: profile.base_url });
  notify(`Signed out of ${profile.base_url}. The key is revoked.`);
}
