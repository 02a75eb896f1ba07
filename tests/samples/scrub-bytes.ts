import type { Patch, PatchSource } from "#lib/formats/scrub/patch.ts";

/** Applies the patches of `plan` to `bytes`, as `patchFile` does to a file. */
export async function scrubBytes(
  bytes: Buffer,
  plan: (source: PatchSource) => Promise<readonly Patch[]>,
): Promise<Buffer> {
  const patches = await plan({
    size: bytes.length,
    read: async (offset, length) => {
      if (length < 0 || offset + length > bytes.length) throw new RangeError("past the end");
      return bytes.subarray(offset, offset + length);
    },
  });
  const changed = Buffer.from(bytes);
  for (const patch of patches) {
    if ("bytes" in patch) patch.bytes.copy(changed, patch.offset);
    else changed.fill(0, patch.offset, patch.offset + patch.zeros);
  }
  return changed;
}
