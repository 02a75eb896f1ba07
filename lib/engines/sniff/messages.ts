import type { SniffHints } from "#lib/formats/sniff/sniff.ts";
import type { MediaTypeId } from "#lib/media/types.ts";

/** What a runner and the thread that detects types send to each other. */

/** A file on disk, or one of `size` bytes that the runner reads for the thread. */
export type DetectRequest = { readonly hints: SniffHints } & (
  | { readonly path: string }
  | { readonly size: number }
);

/** The bytes that the thread asked for; undefined if they could not be read. */
export interface ReadReply {
  readonly bytes: Uint8Array | undefined;
}

/** The thread detects one type at a time: any number of `read`, then one `detected` or `failed`. */
export type ThreadMessage =
  | { readonly kind: "read"; readonly offset: number; readonly length: number }
  | { readonly kind: "detected"; readonly type: MediaTypeId }
  | { readonly kind: "failed"; readonly message: string };
