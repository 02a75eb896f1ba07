import { openRegular } from "#lib/files/regular-files.ts";

/** More than half a day of fragments of one second, which are two boxes each. */
const maxBoxes = 100_000;

/** Every box begins with its size and its type. */
const boxHeaderBytes = 8;

/**
 * Whether the MP4 or MOV file at `path` ends within a box (ISO/IEC 14496-12, 4.2), so that its header
 * declares more than it has. Fewer bytes than a box has after the last one are padding, such as the four
 * zeros of QuickTime.
 */
export async function isTruncated(path: string): Promise<boolean> {
  const file = await openRegular(path);
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(16);
    let at = 0;
    for (let count = 0; at + boxHeaderBytes <= size && count < maxBoxes; count++) {
      const { bytesRead } = await file.read(head, 0, 16, at);
      if (bytesRead < boxHeaderBytes) return true;
      const short = head.readUInt32BE(0);
      // 1: the size has 64 bits. 0: the box is the rest of the file.
      if (short === 0) return false;
      const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
      if (length < boxHeaderBytes) return false;
      at += length;
    }
    return at > size;
  } finally {
    await file.close();
  }
}
