import { mediaTypesOfMime } from "#lib/media/types.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import type { SharedFile } from "./shared-result.ts";

/** Chat programs and networks show these types, up to this size, as the picture of a link. */
const shownTypes: readonly string[] = ["image/jpeg", "image/png", "image/webp", "image/gif"];
const maxShownBytes = 5_000_000;

/** Of which files a picture is drawn, by their operations. */
const drawn = ["image/convert", "video/thumbnail", "document/thumbnail"] as const;

/**
 * The output of a shared result that is the picture of its link. It is shown as it is, or a picture of it is drawn.
 * Undefined if no output can be seen.
 */
export function cardOf(
  outputs: readonly Pick<SharedFile, "contentType" | "bytes">[],
): { readonly index: number; readonly isDrawn: boolean } | undefined {
  const shown = outputs.findIndex(
    ({ contentType, bytes }) => shownTypes.includes(contentType) && bytes <= maxShownBytes,
  );
  if (shown >= 0) return { index: shown, isDrawn: false };
  const index = outputs.findIndex(({ contentType }) =>
    mediaTypesOfMime(contentType).some((type) =>
      drawn.some((id) => findOperation(id)?.accepts.includes(type)),
    ),
  );
  return index >= 0 ? { index, isDrawn: true } : undefined;
}
