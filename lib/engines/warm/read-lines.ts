import type { Readable } from "node:stream";

/**
 * Calls `onLine` for each UTF-8 line that ends in `\n`. If a line is longer than `maxLength`
 * characters, it calls `onTooLong` once and stops. `node:readline` is not suitable: it also splits
 * lines at U+2028 and U+2029, which JSON does not escape, and it buffers lines of any length.
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
