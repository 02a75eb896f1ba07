import type { FormField } from "./form-field.ts";
import { providedSources, type Sources, sourceName } from "./source.ts";

/** The extensions of camera RAW files. */
const rawExtension = /\.(cr2|cr3|nef|arw|dng|raf|orf|rw2)(?:[?#]|$)/i;

/**
 * The fields of a form without `raw`, which all operations on images have, unless one of the files is a
 * camera RAW file, or the field is in use.
 */
export function shownFields(
  fields: readonly FormField[],
  sources: Sources,
  isInUse: (name: string) => boolean,
): readonly FormField[] {
  const names = Object.keys(sources).flatMap((part) =>
    providedSources(sources, part, Number.POSITIVE_INFINITY).map(sourceName),
  );
  if (isInUse("raw") || names.some((name) => rawExtension.test(name))) return fields;
  return fields.filter(({ name }) => name !== "raw");
}
