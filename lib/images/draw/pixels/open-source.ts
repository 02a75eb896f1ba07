import {
  loadSharp,
  type Metadata,
  type Sharp,
  type SharpOptions,
  translateVipsErrors,
} from "#lib/engines/image/open.ts";
import { JobError } from "#lib/errors.ts";
import { maxPixels } from "../../plan/size.ts";

/** Runs in a worker. */

/** All frames of an animation together. */
const maxAnimationPixels = 100_000_000;

const maxFrames = 1000;

/** An image with its header. The size is that of one frame, before orientation. */
export interface PictureSource {
  readonly path: string;
  readonly metadata: Metadata;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Opens the first frame. */
  readonly open: () => Promise<Sharp>;
  /** Opens all frames, one below the other. */
  readonly openFrames: () => Promise<Sharp>;
}

const options: SharpOptions = {
  limitInputPixels: maxAnimationPixels,
  sequentialRead: true,
  // Photos of the web often have small faults, which browsers show, too.
  failOn: "error",
};

/**
 * Reads the header of an image. A `page` above 0 is the only frame or page that is opened; after the last
 * one, that is. Throws `JobError` if it is damaged or too large.
 */
export async function openSource(path: string, wantedPage = 0): Promise<PictureSource> {
  const sharp = await loadSharp();
  const page = wantedPage === 0 ? 0 : Math.min(wantedPage, (await countPages(path)) - 1);
  const single: SharpOptions = page > 0 ? { ...options, page } : options;
  const metadata = await translateVipsErrors(sharp(path, single).metadata());
  const isAnimation = page === 0 && (metadata.format === "gif" || metadata.format === "webp");
  const frames = isAnimation ? (metadata.pages ?? 1) : 1;
  const { width, height } = metadata;
  if (width * height > maxPixels || width * height * frames > maxAnimationPixels) {
    throw new JobError("too_complex", "The source has too many pixels.");
  }
  if (frames > maxFrames) throw new JobError("too_complex", "The source has too many frames.");
  return {
    path,
    metadata,
    width,
    height,
    frames,
    open: async () => sharp(path, single),
    openFrames: async () => sharp(path, { ...options, pages: -1 }),
  };
}

async function countPages(path: string): Promise<number> {
  const sharp = await loadSharp();
  const { pages = 1 } = await translateVipsErrors(sharp(path, options).metadata());
  return pages;
}
