import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CliError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { cacheFolder } from "../settings/folders.ts";
import { warn } from "../terminal/print.ts";
import type { CatalogueOperation } from "./operation.ts";

interface CachedCatalogue {
  /** The time in milliseconds since 1970. */
  readonly checkedAt: number;
  readonly etag: string | null;
  readonly operations: readonly CatalogueOperation[];
}

/** How long the copy on the disk is used without asking the service. */
const freshMs = 10 * 60_000;
const timeoutMs = 15_000;

/**
 * The operations that the service at `baseUrl` reports, from the copy on the disk while that is fresh.
 * `isNewest`: asks the service in any case. If it cannot be reached, an older copy is used.
 */
export async function loadCatalogue(
  baseUrl: string,
  { isNewest = false } = {},
): Promise<readonly CatalogueOperation[]> {
  const cached = await readCache(baseUrl);
  if (cached && !isNewest && Date.now() - cached.checkedAt < freshMs) return cached.operations;
  try {
    const loaded = await requestCatalogue(baseUrl, cached);
    await writeCache(baseUrl, loaded).catch(() => {
      // Without a copy, the next call asks again.
    });
    return loaded.operations;
  } catch (error) {
    if (!cached) throw error;
    warn(`${baseUrl} could not be reached; using its list of operations from earlier.`);
    return cached.operations;
  }
}

/** The copy on the disk, however old. Undefined if there is none. */
export async function readCachedOperations(
  baseUrl: string,
): Promise<readonly CatalogueOperation[] | undefined> {
  return (await readCache(baseUrl))?.operations;
}

async function requestCatalogue(
  baseUrl: string,
  cached: CachedCatalogue | undefined,
): Promise<CachedCatalogue> {
  const url = `${baseUrl}/v1/operations`;
  const headers: Record<string, string> = cached?.etag ? { "If-None-Match": cached.etag } : {};
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { headers, signal }).catch((cause) => {
    const message = `${baseUrl} could not be reached. Check --base-url and your connection; \`mediamill doctor\` tests both.`;
    throw Object.assign(new CliError(message, exitCodes.unavailable), { cause });
  });
  const checkedAt = Date.now();
  if (response.status === 304 && cached) return { ...cached, checkedAt };
  const body = await response.text();
  const operations = response.ok ? parseOperations(body) : undefined;
  if (operations) return { checkedAt, etag: response.headers.get("etag"), operations };
  const message = `${url} does not answer as a Mediamill service (status ${response.status}). Check --base-url.`;
  throw new CliError(message, exitCodes.unavailable);
}

function parseOperations(text: string): readonly CatalogueOperation[] | undefined {
  try {
    const { operations } = JSON.parse(text) as { operations?: CatalogueOperation[] };
    const isList = Array.isArray(operations) && operations.every((one) => one.id.includes("/"));
    return isList ? operations : undefined;
  } catch {
    return undefined;
  }
}

function cachePath(baseUrl: string): string {
  const name = createHash("sha256").update(baseUrl).digest("hex").slice(0, 16);
  return join(cacheFolder(), `operations-${name}.json`);
}

async function readCache(baseUrl: string): Promise<CachedCatalogue | undefined> {
  try {
    return JSON.parse(await readFile(cachePath(baseUrl), "utf8")) as CachedCatalogue;
  } catch {
    return undefined; // missing or damaged: the service has it
  }
}

async function writeCache(baseUrl: string, content: CachedCatalogue): Promise<void> {
  const path = cachePath(baseUrl);
  await mkdir(cacheFolder(), { recursive: true });
  await writeFile(`${path}.${process.pid}`, JSON.stringify(content));
  await rename(`${path}.${process.pid}`, path);
}
