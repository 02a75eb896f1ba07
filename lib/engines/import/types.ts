import { type MediaTypeId, mediaType } from "#lib/media/types.ts";

/**
 * Files of types that the service can read but not write are converted before an operation gets them,
 * so an operation that keeps the format of its input writes that type: photographs become JPEG, other
 * images PNG, as does a HEIC file with transparency; audio becomes FLAC without loss; videos are copied to
 * MOV without encoding.
 */
const importedTypes = {
  heic: "jpeg",
  dng: "jpeg",
  raw: "jpeg",
  svg: "png",
  bmp: "png",
  ico: "png",
  jxl: "png",
  jp2: "png",
  aiff: "flac",
  caf: "flac",
  amr: "flac",
  ac3: "flac",
  wv: "flac",
  wma: "flac",
  mxf: "mov",
} as const satisfies Partial<Record<MediaTypeId, MediaTypeId>>;

export type ImportableType = keyof typeof importedTypes;

/** The images among them. Object.keys types the keys as text. */
export const importableImages = (Object.keys(importedTypes) as ImportableType[]).filter(
  (type) => mediaType(type).kind === "image",
);

export function isImportable(type: MediaTypeId): type is ImportableType {
  return type in importedTypes;
}

/** What an operation gets as an input of `type`: another type if it is converted first. */
export function importedType(type: MediaTypeId): MediaTypeId {
  return isImportable(type) ? importedTypes[type] : type;
}

/** How a camera RAW file is read. */
export const rawModes = ["preview", "develop"] as const;
export type RawMode = (typeof rawModes)[number];
