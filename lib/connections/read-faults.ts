import type { ConnectionRow, ConnectionType } from "#lib/db/schema/credentials/connections.ts";
import { JobError } from "#lib/errors.ts";
import { ResponseStatusError } from "#lib/net/fetch-errors.ts";
import { isPermanentStatus } from "./stores/responses.ts";
import { type Store, StoreError } from "./stores/store.ts";

/** Why a file in a connection cannot be read, as the owner of the connection needs to know it. */

/** A file in a connection, as its reference names it. */
export interface NamedFile {
  readonly connection: Pick<ConnectionRow, "id" | "name" | "prefix" | "type" | "config">;
  /** The path below the connection's prefix. */
  readonly path: string;
}

/**
 * The error of a file that could not be read: if the store says why, with the names of the file and the connection,
 * and what to do. `pathInStore`: with the prefix.
 */
export async function explainReadFailure(
  error: unknown,
  file: NamedFile,
  store: Store,
  pathInStore: string,
): Promise<unknown> {
  const refusal = refusalOf(error) ?? (await askStore(error, store, pathInStore));
  if (refusal === undefined) return error;
  const { fault } = refusal;
  const message = describeRefusal(refusal, file);
  return new JobError("fetch_failed", message, {
    cause: new StoreError(message, { isPermanent: true, ...(fault && { fault }), cause: error }),
  });
}

/** The error of a store that said why, if `error` is one. */
function refusalOf(error: unknown): StoreError | undefined {
  const refusal = error instanceof JobError ? error.cause : error;
  return refusal instanceof StoreError && refusal.fault !== undefined ? refusal : undefined;
}

/** Asks for the first byte again: the response that failed the read was closed without its reason. */
async function askStore(
  error: unknown,
  store: Store,
  path: string,
): Promise<StoreError | undefined> {
  if (!(error instanceof ResponseStatusError) || !isPermanentStatus(error.status)) return undefined;
  try {
    const refusal = await store.findReadRefusal?.(path);
    return refusal?.isPermanent ? refusal : undefined;
  } catch (failure) {
    // The read has failed already; its own error stays.
    if (failure instanceof StoreError) return refusalOf(failure);
    throw failure;
  }
}

/** What holds the files of a connection, and the field that names it. */
const roots: Readonly<Record<ConnectionType, readonly [noun: string, field: string]>> = {
  s3: ["bucket", "bucket"],
  s3_role: ["bucket", "bucket"],
  gcs: ["bucket", "bucket"],
  azure: ["container", "container"],
  sftp: ["folder", "prefix"],
  webdav: ["folder", "url"],
};

function describeRefusal(refusal: StoreError, { connection, path }: NamedFile): string {
  const name = `the connection ${JSON.stringify(connection.name)}`;
  const [noun, field] = roots[connection.type];
  const root = JSON.stringify(connection.config[field] ?? connection.prefix);
  const change = `\`PATCH /v1/connections/${connection.id}\``;
  const below =
    connection.prefix === "" ? "" : ` below its prefix ${JSON.stringify(connection.prefix)}`;
  switch (refusal.fault) {
    case "missing":
      return `The file ${JSON.stringify(path)} does not exist in ${name}${below}. Check the path, with its upper and lower case: \`GET /v1/connections/${connection.id}/files\` lists the files.`;
    case "no_bucket":
      return `The ${noun} ${root} of ${name} does not exist. Create it, or name another one with ${change} (\`${field}\`).`;
    case "denied":
      return `The store does not permit ${name} to read the file ${JSON.stringify(path)}${below}. Give the user or the key of the connection the permission to read it, and check that the file exists: some stores refuse a missing file in this way.`;
    case "credentials":
      return `The store refused the credentials of ${name}. Send the right ones with ${change}.`;
    case "full":
      return `The store of ${name} has no space left.`;
    case "region":
    case undefined:
      return refusal.message;
  }
}
