import { importableImages } from "#lib/engines/import/types.ts";
import { officeTypes } from "#lib/formats/office/formats.ts";
import { type MediaTypeId, mediaTypesOf } from "#lib/media/types.ts";

/** Lists of input types that several operations accept. */

export const rasterImages = [
  "jpeg",
  "png",
  "webp",
  "gif",
  "avif",
  "tiff",
] as const satisfies MediaTypeId[];

/** All images that can be decoded. Those that sharp cannot read are converted before `run`. */
export const images: readonly MediaTypeId[] = [...rasterImages, ...importableImages];

export const videos = mediaTypesOf("video");

export const subtitleFiles = ["srt", "vtt", "ass"] as const satisfies MediaTypeId[];

/** Audio files, and videos, which may have audio tracks. */
export const audioInputs = [...mediaTypesOf("audio"), ...videos];

/** All that LibreOffice reads; each has a format in `lib/formats/office/formats.ts`. */
export const officeDocuments: readonly MediaTypeId[] = officeTypes;
