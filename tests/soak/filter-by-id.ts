/** The items whose id contains one of the comma-separated `words`; all items if there are no words. */
export function filterById<Item extends { readonly id: string }>(
  items: readonly Item[],
  words = "",
): readonly Item[] {
  const wanted = words.split(",").filter(Boolean);
  if (wanted.length === 0) return items;
  return items.filter(({ id }) => wanted.some((word) => id.includes(word)));
}
