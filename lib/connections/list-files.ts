import { RequestError } from "#lib/errors.ts";
import { findPrefixFault, findReadPathFault, pathBelow } from "./file-reference.ts";
import { type ConnectionOwner, readConnection } from "./manage.ts";
import { type ListPage, type ListRequest, StoreError } from "./stores/store.ts";
import { withStore } from "./with-store.ts";

/**
 * Lists files below the prefix of a connection; all paths are those below it. Files that no job can read because of
 * their paths are left out, and folders of such files. Throws `not_found`, `rate_limited`, `forbidden` for a connection
 * that is only for writing, and `conflict` with the store's reason.
 */
export async function listFiles(
  owner: ConnectionOwner,
  id: string,
  { prefix, ...request }: ListRequest,
): Promise<ListPage> {
  const row = await readConnection(owner, id);
  if (row.access === "write") {
    throw new RequestError("forbidden", "This connection is only for writing.");
  }
  const fault = findPrefixFault(row.type, prefix);
  if (fault) throw new RequestError("invalid_parameter", `\`prefix\` ${fault}.`);
  const base = row.prefix === "" ? "" : `${row.prefix}/`;
  const below = (path: string) => pathBelow(row.prefix, path) ?? "";
  try {
    const whole = { ...request, prefix: `${base}${prefix}` };
    const page = await withStore(owner, row, (store) => store.list(whole));
    return {
      ...page,
      files: page.files
        .map((file) => ({ ...file, path: below(file.path) }))
        .filter((file) => findReadPathFault(row.type, file.path) === undefined),
      folders: (page.folders ?? [])
        .map(below)
        .filter((path) => path !== "" && findPrefixFault(row.type, path) === undefined),
    };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new RequestError("conflict", error.message, { cause: error });
  }
}
