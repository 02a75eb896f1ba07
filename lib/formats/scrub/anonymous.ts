/** What replaces the author of a comment or a change; Word's Document Inspector uses the same name. */
export const anonymousName = "Author";
export const anonymousInitials = "A";

/**
 * Returns `name`, cut or padded with spaces to `length` characters, so that the field keeps its
 * length.
 */
export function fitName(length: number, name: string = anonymousName): string {
  return name.slice(0, length).padEnd(length);
}

/**
 * A name for author `number` (from 1 on) of tracked changes, of at most `length` characters. Each
 * author keeps a different name, because readers treat an insertion that another author deleted
 * differently from one that its own author deleted.
 */
export function numberAuthor(number: number, length: number): string {
  const isFirst = number === 1;
  const forms = isFirst ? [anonymousName, "A"] : [`${anonymousName} ${number}`, `A${number}`];
  return forms.find((form) => form.length <= length) ?? `${number}`.slice(-length);
}
