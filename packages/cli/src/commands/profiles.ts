import { text } from "node:stream/consumers";
import { UsageError } from "../errors.ts";
import { readUserFile, updateProfile, writeUserFile } from "../settings/files.ts";
import type { Settings } from "../settings/settings.ts";
import { notify, printTable } from "../terminal/print.ts";

export async function listProfiles({ profile: current }: Settings): Promise<void> {
  const { profiles = {} } = await readUserFile();
  const rows = Object.entries(profiles).map(([name, { base_url, api_key, expires_at }]) => [
    name === current ? "*" : " ",
    name,
    base_url,
    api_key ? `…${api_key.slice(-4)}` : "no key",
    expires_at ? `expires ${expires_at.slice(0, 10)}` : "",
  ]);
  if (rows.length === 0) notify("There is no profile yet. Run `mediamill login`.");
  printTable(rows);
}

export async function useProfile(name: string): Promise<void> {
  const file = await readUserFile();
  requireProfile(file.profiles, name);
  await writeUserFile({ ...file, profile: name });
  notify(`The profile ${name} is used by default.`);
}

export async function addProfile(name: string, { baseUrl }: Settings): Promise<void> {
  if (process.stdin.isTTY) {
    throw new UsageError(
      `Pipe the key in: \`mediamill profiles add ${name} < key.txt\`. \`mediamill login\` needs no key.`,
    );
  }
  const api_key = (await text(process.stdin)).trim();
  if (!/^\S+$/.test(api_key)) throw new UsageError("stdin must have one API key.");
  await updateProfile(name, { base_url: baseUrl, api_key });
  notify(`The profile ${name} of ${baseUrl} is saved.`);
}

export async function removeProfile(name: string): Promise<void> {
  const { profiles } = await readUserFile();
  requireProfile(profiles, name);
  await updateProfile(name, undefined);
  notify(`The profile ${name} is removed.`);
}

function requireProfile(profiles: object | undefined, name: string): void {
  if (profiles && Object.hasOwn(profiles, name)) return;
  const names = Object.keys(profiles ?? {}).join(", ") || "none";
  throw new UsageError(`There is no profile ${name}. Profiles: ${names}.`);
}
