/** The move of an item of a list, by indexes. */
export interface Move {
  readonly from: number;
  readonly to: number;
}

/** The list with the item `from` at the index `to`. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const moved = [...items];
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}

/** Where a key moves the item `index` of `length` items; undefined for other keys. */
export function targetIndex(key: string, index: number, length: number): number | undefined {
  switch (key) {
    case "ArrowUp":
    case "ArrowLeft":
      return Math.max(0, index - 1);
    case "ArrowDown":
    case "ArrowRight":
      return Math.min(length - 1, index + 1);
    case "Home":
      return 0;
    case "End":
      return length - 1;
    default:
      return undefined;
  }
}
