import type { UploadedFile } from "#lib/api/http/store-upload.ts";
import { Form, type FormFile } from "#lib/gotenberg/form/form.ts";
import { mediaTypeOfExtension } from "#lib/media/types.ts";

/** A file as it is stored. */
export function makeStored(filename: string): UploadedFile {
  const extension = filename.split(".").at(-1)?.toLowerCase() ?? "";
  const type = mediaTypeOfExtension(extension);
  return { key: `inputs/${filename}`, filename, type, bytes: 1, sha256: "" };
}

/** A form with fields, and with files by field. */
export function makeForm(
  fields: Readonly<Record<string, string | readonly string[]>>,
  filesByField: Readonly<Record<string, readonly string[]>> = {},
): Form {
  const values = Object.entries(fields).map(([name, value]) => [name, [value].flat()] as const);
  const files = Object.entries(filesByField).flatMap(([field, names]) =>
    names.map((name): [string, FormFile] => [name, { field, stored: makeStored(name) }]),
  );
  return new Form({ values: new Map(values), files: new Map(files) });
}
