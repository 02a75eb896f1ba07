/** What the message of a rejected request is about. */
export interface Rejection {
  /** The field as the request named it, such as `widht` or `metadata[order]`. */
  readonly field: string | undefined;
  /** The operation of a chain that the message names. */
  readonly operation: string | undefined;
  /** What was probably meant instead of the field's name. */
  readonly names: readonly string[];
  /** What was probably meant instead of the field's value. */
  readonly values: readonly string[];
}

const name = /`([A-Za-z_][\w-]*(?:\[[^\]`]*\])?)`/;

/** A value in a list or an object, such as `bookmarks[0].page`. */
const nested =
  /(?:^|: )`([A-Za-z_]\w*)(?:\[\d+\]|\.\w+)+` (?:must|is required|is not a parameter|has)/;

/** Reads the message of an error: "`widht` is not a parameter. Did you mean `width`? Allowed parameters: …". */
export function readRejection(message: string): Rejection {
  const [, operation] = /^Operation \d+, ([a-z]+\/[a-z0-9-]+): /.exec(message) ?? [];
  const [problem = ""] = message.split(
    / Did you mean | Allowed (?:parameters|fields|methods|values)?| Other fields/,
  );
  const suggested = quotedIn(/ Did you mean (.*?)\?/.exec(message)?.[1] ?? "");
  const list = nested.exec(problem)?.[1];
  if (list !== undefined) return { field: list, operation, names: [], values: [] };
  const field = name.exec(problem)?.[1];
  const isValue = / has no such value\.$/.test(problem);
  return {
    field,
    operation,
    names: isValue ? [] : suggested,
    values: isValue ? suggested : [],
  };
}

const quotedIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, one = ""]) => one);
