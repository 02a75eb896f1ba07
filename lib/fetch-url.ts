/** The syntax of URLs that are fetched or called for users. Forms check it too, so this loads nothing of Node. */

/** The maximum length of a URL, in characters. */
export const maxUrlLength = 2048;

/** A file in a connection, `conn_…:folder/file.mp4`, which stands in place of a URL. */
export const connectionFile = /^(?<id>conn_[0-9A-Za-z]{24}):(?<path>.*)$/s;

/** The message of `InvalidUrlError` for text that is not a complete URL. */
export const incompleteUrlMessage = "must be a complete http or https URL";

/** An invalid URL. `message` follows the name of the field: "must be …". */
export class InvalidUrlError extends Error {
  override readonly name = "InvalidUrlError";
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are rejected
const ambiguousCharacters = /[\u0000-\u001f\u007f\\]/;

/**
 * Parses a URL from a user without resolving its host. All later code uses the parsed object, so that
 * two parsers cannot disagree. Throws `InvalidUrlError`.
 */
export function parseFetchUrl(text: string): URL {
  if (text.length > maxUrlLength) {
    throw new InvalidUrlError(`must be at most ${maxUrlLength} characters long`);
  }
  // The WHATWG parser removes tabs and line breaks and reads "\" as "/": no valid URL contains them.
  const url = ambiguousCharacters.test(text) ? null : URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || !/^\s*https?:\/\/[^/]/i.test(text)) {
    throw new InvalidUrlError(incompleteUrlMessage);
  }
  if (url.username || url.password) {
    throw new InvalidUrlError("must not contain a user name or password");
  }
  return url;
}

/**
 * Why a URL of a user is called: it is an input file, a webhook is sent to it, a file of a job loads it, such as a
 * page its resources or a template its pictures, an output is sent to it, or it is the store of a connection.
 */
export const fetchPurposes = ["inputs", "webhooks", "pages", "exports", "connections"] as const;
export type FetchPurpose = (typeof fetchPurposes)[number];

/** An entry of `FETCH_ALLOW`: a host that may be called although it is private or on another port. */
export interface AllowedHost {
  /** The host in lower case, as `host:port` or `[address]:port`. */
  readonly host: string;
  readonly purposes: readonly FetchPurpose[];
}

/**
 * Parses an entry: `host:port` or `host:*` for all purposes, or `purpose=host:port`. Returns what is wrong with an invalid one,
 * which follows the name of the variable.
 */
export function parseAllowedHost(entry: string): AllowedHost | string {
  const { purpose, host = "", port } = entryPattern.exec(entry)?.groups ?? {};
  const known = fetchPurposes.filter((name) => purpose === undefined || name === purpose);
  if (known.length === 0) return invalidPurpose;
  if (port === "*") return { host: `${host}:*`, purposes: known };
  if (port === undefined || Number(port) < 1 || Number(port) > 65_535) return invalidHost;
  return { host: `${host}:${Number(port)}`, purposes: known };
}

const entryPattern =
  /^(?:(?<purpose>[^=]*)=)?(?<host>\[[0-9a-f:.]+\]|[^:\s/=[\]]+):(?<port>\d{1,5}|\*)$/;

const invalidHost =
  "must be a comma-separated list of host:port or purpose=host:port, with ports from 1 to 65535, or * for any";
const invalidPurpose = `must have only the purposes ${fetchPurposes.join(", ")} before "="`;

/** A host with or without a port: nothing else of a URL, and no wildcard. */
export function isHost(entry: string): boolean {
  return /^[^/?#@\\\s*]+$/.test(entry) && URL.canParse(`http://${entry}`);
}
