interface NumberedName {
  readonly name: string;
  readonly rest: string;
  /** The number at the start or at the end; undefined if there is none. */
  readonly number?: number;
  readonly isPrefix?: boolean;
}

/**
 * Sorts the names of files as Gotenberg does: by the number at their start, or else by the number at their end,
 * before the extension, among names that are otherwise equal.
 */
export function sortNames(names: readonly string[]): string[] {
  return names
    .map(splitNumber)
    .toSorted(compare)
    .map(({ name }) => name);
}

function splitNumber(name: string): NumberedName {
  const [, start, afterStart = ""] = /^(\d+)(.*)$/.exec(name) ?? [];
  if (start !== undefined) return { name, rest: afterStart, number: Number(start), isPrefix: true };
  const [, before = "", end, extension = ""] =
    /^(.*?)(\d+)(\.[^.]+)$/.exec(name) ?? /^(.*?)(\d+)()$/.exec(name) ?? [];
  if (end === undefined) return { name, rest: name };
  return { name, rest: before + extension, number: Number(end), isPrefix: false };
}

function compare(one: NumberedName, other: NumberedName): number {
  if (one.number === undefined || other.number === undefined) return order(one.name, other.name);
  if (one.isPrefix !== other.isPrefix) return one.isPrefix ? -1 : 1;
  const byNumber = one.number - other.number;
  const byRest = order(one.rest, other.rest);
  return (one.isPrefix ? byNumber || byRest : byRest || byNumber) || order(one.name, other.name);
}

function order(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
