/**
 * A value of a page's query: its text without spaces at the ends; undefined if it is absent or empty. PostgreSQL's
 * texts have no NUL.
 */
export function readText(value: string | string[] | undefined): string | undefined {
  const text = (Array.isArray(value) ? value[0] : value)?.replaceAll("\0", "").trim().slice(0, 254);
  return text || undefined;
}
