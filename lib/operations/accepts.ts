import type { MediaTypeId } from "#lib/media/types.ts";

/** Whether an operation, or one of its file parts, accepts files of this type. */
export function acceptsType(
  { accepts }: { readonly accepts: readonly MediaTypeId[] },
  type: MediaTypeId,
): boolean {
  return accepts.includes(type);
}
