import type { FileField } from "./form-field.ts";
import { type Source, sourceName } from "./source.ts";

type Extensions = Pick<FileField, "extensions">;

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
    const [, extension = ""] = /\.([a-z0-9]+)$/i.exec(nameOf(source)) ?? [];
    const usual = extension.toLowerCase().replace(/^jpeg$/, "jpg");
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
