import { statfs } from "node:fs/promises";
import { env, settingNames } from "#lib/env.ts";

/** An environment variable as the web process uses it. */
export interface Setting {
  readonly name: string;
  /** The value, which may be a default. Null if it is not set; `•••` for a secret that is. */
  readonly value: string | null;
}

/**
 * The pattern of secret names, also of those that are added later: what looks like a secret is one.
 */
const secretName = /KEY|SALT|SECRET|TOKEN|PASSWORD|HEADERS|DATABASE_(LISTEN_)?URL|SMTP_URL/;

/** The names that the process that starts the services or the host sets, not the operator. */
const internalName = /^(MEDIAMILL_|VERCEL(_|$)|NODE_ENV$)/;

/** Every setting, by name. Secrets, and the user info of URLs, are masked. */
export function listSettings(
  values: Readonly<Record<string, unknown>> = env,
  names: readonly string[] = settingNames,
): Setting[] {
  return names
    .filter((name) => !internalName.test(name))
    .toSorted()
    .map((name) => ({ name, value: show(name, values[name]) }));
}

function show(name: string, value: unknown): string | null {
  if (value === undefined || value === null || value === "") return null;
  if (Array.isArray(value)) return value.length > 0 ? value.join(", ") : null;
  if (secretName.test(name)) return "•••";
  return String(value).replace(/\/\/[^/@]*@/, "//•••@");
}

/**
 * The free and total bytes of the disk of the data folder; null if there is none, as on a host
 * without disk.
 */
export async function readDisk(
  folder: string = env.DATA_DIR,
): Promise<{ readonly freeBytes: number; readonly totalBytes: number } | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return null;
  }
}
