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

/**
 * What is wrong with the path of a file in a store; it follows the name of the field: "must …". A path cannot leave
 * its folder: it has no segment `.` or `..`, and does not begin with a slash.
 */
export function findPathFault(path: string): string | undefined {
  if (path === "") return "must not be empty";
  if (new TextEncoder().encode(path).length > maxPathBytes) {
    return `must be at most ${maxPathBytes} bytes long`;
  }
  if (forbiddenCharacters.test(path)) return "must have no backslashes and control characters";
  if (path.startsWith("/")) return "must not begin with a slash";
  const segments = path.split("/");
  if (segments.some((segment) => segment === "." || segment === "..")) {
    return "must not have . or .. as a folder";
  }
  if (segments.includes("")) return "must have no empty segments";
  return undefined;
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
