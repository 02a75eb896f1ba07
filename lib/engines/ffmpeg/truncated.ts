import { walkBoxes } from "#lib/formats/iso-boxes/iso-boxes.ts";
import { withFileSource } from "#lib/media/byte-source.ts";

/** More than half a day of fragments of one second, which are two boxes each. */
const maxBoxes = 100_000;

/**
 * Whether the MP4 or MOV file at `path` ends within a box, so that its header declares more than it has. Fewer
 * bytes than a box has after the last one are padding, such as the four zeros of QuickTime.
 */
export function isTruncated(path: string): Promise<boolean> {
  return withFileSource(path, async (source) => {
    const { size = 0 } = source;
    let count = 0;
    for await (const { end } of walkBoxes(source, 0, size)) {
      if (end > size) return true;
      if (++count === maxBoxes) break;
    }
    return false;
  });
}
