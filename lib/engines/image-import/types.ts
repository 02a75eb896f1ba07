import type { MediaTypeId } from "#lib/media/types.ts";

/**
 * Images of types that sharp cannot read are converted before an operation gets them: photographs to
 * JPEG, all others to PNG. So an operation that keeps the format of its input writes that type.
 */
const importedTypes = {
  heic: "jpeg",
  raw: "jpeg",
  svg: "png",
  bmp: "png",
  ico: "png",
  jxl: "png",
  jp2: "png",
} as const satisfies Partial<Record<MediaTypeId, MediaTypeId>>;

export type ImportableType = keyof typeof importedTypes;

/** The types that are converted. Object.keys types the keys as text. */
export const importableTypes = Object.keys(importedTypes) as ImportableType[];

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
