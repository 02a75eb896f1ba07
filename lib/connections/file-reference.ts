import type { ConnectionType } from "#lib/db/schema/credentials/connections.ts";
import { connectionFile } from "#lib/fetch-url.ts";

/**
 * References to files in connections, `conn_…:folder/file.mp4`, and paths in stores. Forms use it too, so this loads
 * nothing of Node.
 */

export interface FileReference {
  readonly connectionId: string;
  /** The path below the connection's prefix. */
  readonly path: string;
}

/** The reference that `text` is; undefined for any other text. Its path may be invalid: see `findPathFault`. */
export function parseFileReference(text: string): FileReference | undefined {
  const { id, path } = connectionFile.exec(text)?.groups ?? {};
  return id === undefined || path === undefined ? undefined : { connectionId: id, path };
}

/** The longest path in bytes of UTF-8: the limit of S3. */
const maxPathBytes = 1024;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are rejected
const forbiddenCharacters = /[\u0000-\u001f\u007f\\]/;

/** The stores whose paths are keys: a slash is a character like any other. */
const keyStores: ReadonlySet<ConnectionType> = new Set(["s3", "s3_role", "gcs", "azure"]);

/**
 * What is wrong with the path of a file that is read in a store of this type, as `findPathFault` says. A key may have
 * slashes at its beginning and next to each other. It may not have `.` and `..` as a folder, which no URL keeps.
 */
export function findReadPathFault(type: ConnectionType, path: string): string | undefined {
  if (!keyStores.has(type)) return findPathFault(path);
  if (path.endsWith("/")) return "must not end with a slash";
  return findLengthFault(path) ?? findPathFault(withoutEmptySegments(path));
}

/** What is wrong with the beginning of paths of which a list of files is read; it follows the name of the field. */
export function findPrefixFault(type: ConnectionType, prefix: string): string | undefined {
  if (prefix === "") return undefined;
  if (!keyStores.has(type)) return findPathFault(prefix.replace(/\/$/, ""));
  const path = withoutEmptySegments(prefix);
  return path === "" ? undefined : findPathFault(path);
}

const withoutEmptySegments = (path: string) => path.split("/").filter(Boolean).join("/");

/**
 * What is wrong with the path of a file in a store; it follows the name of the field: "must …". A path cannot leave
 * its folder: it has no segment `.` or `..`, and does not begin with a slash.
 */
export function findPathFault(path: string): string | undefined {
  if (path === "") return "must not be empty";
  const lengthFault = findLengthFault(path);
  if (lengthFault) return lengthFault;
  if (forbiddenCharacters.test(path)) return "must have no backslashes and control characters";
  if (path.startsWith("/")) return "must not begin with a slash";
  const segments = path.split("/");
  if (segments.some((segment) => segment === "." || segment === "..")) {
    return "must not have . or .. as a folder";
  }
  if (segments.includes("")) return "must have no empty segments";
  return undefined;
}

function findLengthFault(path: string): string | undefined {
  if (new TextEncoder().encode(path).length <= maxPathBytes) return undefined;
  return `must be at most ${maxPathBytes} bytes long`;
}

/** The path in the store of a path below a prefix. */
export function joinPath(prefix: string, path: string): string {
  return prefix === "" ? path : `${prefix}/${path}`;
}

/** The path below the prefix of a path in the store; undefined if it is elsewhere. */
export function pathBelow(prefix: string, path: string): string | undefined {
  if (prefix === "") return path;
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : undefined;
}
