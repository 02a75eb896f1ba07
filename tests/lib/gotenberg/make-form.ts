import type { UploadedFile } from "#lib/api/http/store-upload.ts";
import { addFile, Form, type FormFile } from "#lib/gotenberg/form/form.ts";
import {
  type MediaType,
  type MediaTypeId,
  mediaType,
  mediaTypeOfExtension,
} from "#lib/media/types.ts";

/** A file as it is stored, whose content is what its name says, or `type`. */
export function makeStored(filename: string, type?: MediaType): UploadedFile {
  const extension = filename.split(".").at(-1)?.toLowerCase() ?? "";
  const found = type ?? mediaTypeOfExtension(extension);
  return { key: `inputs/${filename}`, filename, type: found, bytes: 1, sha256: "" };
}

/** A form with fields, and with files by field. `types` has those of files whose names say another one. */
export function makeForm(
  fields: Readonly<Record<string, string | readonly string[]>>,
  filesByField: Readonly<Record<string, readonly string[]>> = {},
  types: ReadonlyMap<string, MediaTypeId> = new Map(),
): Form {
  const typeOf = (name: string) => {
    const id = types.get(name);
    return id && mediaType(id);
  };
  const values = Object.entries(fields).map(([name, value]) => [name, [value].flat()] as const);
  const files = new Map<string, FormFile>();
  for (const [field, names] of Object.entries(filesByField)) {
    for (const name of names)
      addFile(files, name, { field, stored: makeStored(name, typeOf(name)) });
  }
  return new Form({ values: new Map(values), files });
}
