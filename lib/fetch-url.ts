/** The syntax of URLs that are fetched or called for users. Forms check it too, so this loads nothing of Node. */

/** The maximum length of a URL, in characters. */
export const maxUrlLength = 2048;

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
