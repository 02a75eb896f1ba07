import type Client from "ssh2-sftp-client";
import { isUnsupported } from "./sftp-errors.ts";

/** The path of the earlier file while it is replaced: the same in each attempt. */
const earlierPath = (temporary: string) => `${temporary}.old`;

/** Renames over another file. A server without OpenSSH's extension gets the earlier one out of the way first. */
export async function renameOver(client: Client, temporary: string, path: string): Promise<void> {
  if (!(await client.exists(path))) {
    await client.rename(temporary, path);
    return;
  }
  try {
    await client.posixRename(temporary, path);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    const earlier = earlierPath(temporary);
    await client.rename(path, earlier);
    await client.rename(temporary, path);
    await client.delete(earlier);
  }
}

/**
 * Ends what `renameOver` has left when it did not reach its end: the earlier file gets its path back, or is deleted if
 * another one has the path already.
 */
export async function restoreReplaced(
  client: Client,
  temporary: string,
  path: string,
): Promise<void> {
  const earlier = earlierPath(temporary);
  if (!(await client.exists(earlier))) return;
  if (await client.exists(path)) await client.delete(earlier);
  else await client.rename(earlier, path);
}
