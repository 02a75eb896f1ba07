/** The ids from one to the other, both included, in the order of the list. Only `to` if the list lacks `from`. */
export function rangeBetween(
  ids: readonly string[],
  from: string | undefined,
  to: string,
): readonly string[] {
  const start = from === undefined ? -1 : ids.indexOf(from);
  const end = ids.indexOf(to);
  if (start < 0 || end < 0) return [to];
  return ids.slice(Math.min(start, end), Math.max(start, end) + 1);
}
