/**
 * A function that returns what `read` has found at most `ms` milliseconds ago: many pages may ask for it at once. A
 * failure is not kept.
 */
export function recent<Value>(ms: number, read: () => Promise<Value>): () => Promise<Value> {
  let kept: { readonly value: Promise<Value>; readonly atMs: number } | undefined;
  return () => {
    if (!kept || Date.now() - kept.atMs > ms) {
      const value = read();
      kept = { value, atMs: Date.now() };
      value.catch(() => {
        kept = undefined;
      });
    }
    return kept.value;
  };
}
