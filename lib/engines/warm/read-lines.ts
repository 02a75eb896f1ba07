import type { Readable } from "node:stream";

/**
 * Calls `onLine` for each line of UTF-8 that ends in `\n`, and `onTooLong` once, and then no more,
 * where a line is longer than `maxLength` characters. node:readline would also break lines at U+2028
 * and U+2029, which JSON holds as they are, and keep a line without end.
 */
export function readLines(
  stream: Readable,
  maxLength: number,
  onLine: (line: string) => void,
  onTooLong: () => void,
): void {
  let partial: string[] = [];
  let length = 0;
  const read = (chunk: string) => {
    const [first = "", ...rest] = chunk.split("\n");
    partial.push(first);
    length += first.length;
    for (const next of rest) {
      onLine(partial.join(""));
      partial = [next];
      length = next.length;
    }
    if (length <= maxLength) return;
    stream.off("data", read).resume();
    onTooLong();
  };
  stream.setEncoding("utf8").on("data", read);
}
