import { homedir } from "node:os";
import { join } from "node:path";

/** The folders of the XDG base directory specification. */

export const configFolder = (): string => folder("XDG_CONFIG_HOME", ".config");

/** Data that can be fetched again. */
export const cacheFolder = (): string => folder("XDG_CACHE_HOME", ".cache");

/** Data of earlier runs, such as which files are done. */
export const stateFolder = (): string => folder("XDG_STATE_HOME", ".local/state");

function folder(variable: string, fallback: string): string {
  const given = process.env[variable];
  // The specification ignores relative paths.
  const base = given?.startsWith("/") || given?.includes(":\\") ? given : join(homedir(), fallback);
  return join(base, "mediamill");
}
