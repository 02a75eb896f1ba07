/** The largest number of characters of all tags in a result together. */
const maxTagText = 64 * 1024;
const maxValueLength = 2000;

/**
 * Limits the size of tags, whose names and values are untrusted. All calls of the returned function
 * share one limit. Values longer than 2,000 characters are cut; tags over the limit are left out.
 */
export function createTagLimiter(): (
  tags: Iterable<readonly [string, unknown]>,
) => Record<string, unknown> {
  let left = maxTagText;
  return (tags) => {
    const kept = new Map<string, unknown>();
    for (const [name, value] of tags) {
      if (!/^[\w :.()/-]{1,100}$/.test(name) || name === "__proto__") continue;
      const cut = typeof value === "string" ? value.slice(0, maxValueLength).toWellFormed() : value;
      left -= name.length + (JSON.stringify(cut)?.length ?? 0);
      if (left < 0) break;
      kept.set(name, cut);
    }
    return Object.fromEntries(kept);
  };
}
