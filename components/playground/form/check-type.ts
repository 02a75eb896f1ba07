import type { FormError } from "./form-error.ts";
import type { FileField, FormOperation } from "./form-field.ts";
import { providedSources, type Source, type Sources, sourceName } from "./source.ts";

type Extensions = Pick<FileField, "extensions">;

/** The extension of a file's name as the usual one of its type; empty without one. */
function usualExtension(source: Source): string {
  const [, extension = ""] = /\.([a-z0-9]+)$/i.exec(nameOf(source)) ?? [];
  return extension.toLowerCase().replace(/^jpeg$/, "jpg");
}

/** Whether the extension of a file's name is that of a type which one of the fields takes. */
export function isKnownType(fields: readonly Extensions[], source: Source): boolean {
  const usual = usualExtension(source);
  return fields.some(({ extensions }) => extensions.includes(usual));
}

/**
 * A function that finds out whether a field takes a file, by the extension of its name. An extension that no
 * operation names is not known, and the service decides by the bytes of the file.
 */
export function createTypeCheck(
  operations: readonly { readonly files: readonly Extensions[] }[],
): (field: Extensions, source: Source) => boolean {
  const known = new Set(
    operations.flatMap(({ files }) => files.flatMap(({ extensions }) => extensions)),
  );
  return (field, source) => {
    const usual = usualExtension(source);
    return !known.has(usual) || field.extensions.includes(usual);
  };
}

/** The file's name, or the path of the URL. */
function nameOf(source: Source): string {
  const name = sourceName(source);
  return source.kind === "url" && URL.canParse(name) ? new URL(name).pathname : name;
}

/** What is wrong with a file of another type. */
export function wrongTypeMessage(field: FileField, source: Source): string {
  const message = `${sourceName(source)} has a type that this operation does not take.`;
  return field.accept === "" ? message : `${message} Choose ${field.types}.`;
}

/** The first chosen file that the operation does not take; with `only`, among the files of that part. */
export function findWrongType(
  { files }: FormOperation,
  sources: Sources,
  takes: ReturnType<typeof createTypeCheck>,
  only?: string,
): FormError | undefined {
  for (const field of files) {
    if (only !== undefined && field.part !== only) continue;
    const given = providedSources(sources, field.part, field.count.max);
    const wrong = given.find((source) => !takes(field, source));
    if (wrong) return { field: field.part, message: wrongTypeMessage(field, wrong) };
  }
  return undefined;
}
