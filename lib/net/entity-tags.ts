/** One ETag of a list (RFC 9110, 8.8.3), with what follows it. Its value may contain commas. */
const listedTag = /\s*(?<weak>W\/)?(?<tag>"[\x21\x23-\x7e\x80-\xff]*")\s*(?:,|$)/gy;

/**
 * Whether a list of ETags, the value of `If-None-Match` or `If-Match`, has the strong ETag of a response. `*` is any.
 * `weak`: a weak ETag in the list counts as the strong one, as `If-None-Match` compares; otherwise it never matches.
 */
export function hasEntityTag(
  list: string,
  etag: string,
  { weak }: { readonly weak: boolean },
): boolean {
  if (list.trim() === "*") return true;
  return [...list.matchAll(listedTag)].some(
    ({ groups }) => groups?.tag === etag && (weak || groups.weak === undefined),
  );
}

/** What the conditions of a request say about a response with `etag`, `If-Match` first (RFC 9110, 13.2.2). */
export function checkEntityTag(
  header: (name: "if-match" | "if-none-match") => string | null | undefined,
  etag: string,
): "send" | "unchanged" | "failed" {
  const wanted = header("if-match");
  if (wanted && !hasEntityTag(wanted, etag, { weak: false })) return "failed";
  const known = header("if-none-match");
  return known && hasEntityTag(known, etag, { weak: true }) ? "unchanged" : "send";
}
