import { Readable } from "node:stream";
import { db } from "#lib/db/client.ts";
import { updateConnection } from "#lib/db/queries/files/connections.ts";
import type { ConnectionRow } from "#lib/db/schema/credentials/connections.ts";
import { JobError } from "#lib/errors.ts";
import { createId } from "#lib/ids.ts";
import { joinPath } from "./file-reference.ts";
import { type ConnectionOwner, readConnection } from "./manage.ts";
import { type Store, StoreError } from "./stores/store.ts";
import { withStore } from "./with-store.ts";

export interface TestResult {
  readonly ok: boolean;
  /** What is wrong, as a sentence. */
  readonly error?: string;
}

const probeName = ".mediamill-probe";

/**
 * Tests a connection as far as it may be used: writes a small file, reads it and deletes it; with read access, lists
 * files. Throws `not_found` and `rate_limited`.
 */
export async function testConnection(owner: ConnectionOwner, id: string): Promise<TestResult> {
  const row = await readConnection(owner, id);
  const error = await findStoreFault(owner, row);
  await updateConnection(db(), row, { testedAt: new Date(), testError: error ?? null });
  return error === undefined ? { ok: true } : { ok: false, error };
}

async function findStoreFault(
  owner: ConnectionOwner,
  row: ConnectionRow,
): Promise<string | undefined> {
  try {
    await withStore(owner, row, (store, signal) => probe(store, row, signal));
    return undefined;
  } catch (error) {
    if (error instanceof StoreError || error instanceof JobError) return error.message;
    throw error;
  }
}

async function probe(store: Store, row: ConnectionRow, signal: AbortSignal): Promise<void> {
  if (row.access === "read") {
    await store.list({ prefix: row.prefix === "" ? "" : `${row.prefix}/`, limit: 1 });
    return;
  }
  const content = Buffer.from(`A test of the connection ${row.id}.\n`);
  const path = joinPath(row.prefix, `${probeName}-${createId("req")}.txt`);
  await store.put({
    path,
    bytes: content.length,
    contentType: "text/plain",
    overwrite: true,
    isRepeated: false,
    since: new Date(),
    attemptName: `mediamill-${row.id}`,
    open: async () => Readable.from([content]),
    signal,
    onProgress: () => {},
  });
  try {
    if (row.access === "both") await requireListed(store, path, content.length);
  } finally {
    await store.remove(path);
  }
}

async function requireListed(store: Store, path: string, bytes: number): Promise<void> {
  const { files } = await store.list({ prefix: path, limit: 10 });
  const found = files.find((file) => file.path === path);
  if (found?.bytes === bytes) return;
  const message = "The store accepted a file, but does not list it.";
  throw new StoreError(message, { isPermanent: false });
}
