import { randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "#lib/env.ts";
import { createDataFolder } from "./data-folder.ts";

/** The variables that the services get. */
export interface Secrets {
  readonly SECRET: string;
  readonly SECRET_PREVIOUS?: string;
}

/** The file of the generated secret, and that of the one before. */
export function secretFiles(dataDir: string): {
  readonly current: string;
  readonly previous: string;
} {
  return { current: join(dataDir, "secret"), previous: join(dataDir, "secret-previous") };
}

/** The secrets of the environment; without `SECRET`, those in the data folder. */
export function loadSecrets(env: Pick<Env, "DATA_DIR" | "SECRET" | "SECRET_PREVIOUS">): Secrets {
  const { current, previous } = secretFiles(env.DATA_DIR);
  const isGenerated = env.SECRET === undefined;
  const stored = isGenerated && existsSync(previous) ? readSecret(previous) : undefined;
  const before = env.SECRET_PREVIOUS ?? stored;
  return {
    SECRET: env.SECRET ?? loadOrCreateSecret(env.DATA_DIR, current),
    ...(before === undefined ? {} : { SECRET_PREVIOUS: before }),
  };
}

/** Creates the secret on the first call. Concurrent calls return the same one. */
function loadOrCreateSecret(dataDir: string, file: string): string {
  if (!existsSync(file)) {
    createDataFolder(dataDir);
    const draft = writeDraft(file, createSecret());
    try {
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(draft);
    }
  }
  return readSecret(file);
}

/** Replaces the secret in the data folder, and keeps it as the previous one. Services use both once they restart. */
export function rotateSecretFile(dataDir: string): void {
  const { current, previous } = secretFiles(dataDir);
  const before = loadOrCreateSecret(dataDir, current);
  renameSync(writeDraft(previous, before), previous);
  renameSync(writeDraft(current, createSecret()), current);
}

/** A new secret of 256 bits. */
export function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

function writeDraft(file: string, secret: string): string {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${secret}\n`, { mode: 0o600 });
  return draft;
}

function readSecret(file: string): string {
  return readFileSync(file, "utf8").trim();
}
