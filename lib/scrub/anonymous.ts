/** Who wrote a comment or a change, once its author's name is gone: as Word's own inspector says it. */
export const anonymousName = "Author";
export const anonymousInitials = "A";

/** `name` where a name of `length` characters stood and the length must stay. */
export function fitName(length: number, name: string = anonymousName): string {
  return name.slice(0, length).padEnd(length);
}

/**
 * The name of the author of tracked changes numbered `number`, from 1 on, in at most `length`
 * characters. Authors stay apart, as readers treat text that one put in and another took out
 * differently from what the same one did.
 */
export function numberAuthor(number: number, length: number): string {
  const isFirst = number === 1;
  const forms = isFirst ? [anonymousName, "A"] : [`${anonymousName} ${number}`, `A${number}`];
  return forms.find((form) => form.length <= length) ?? `${number}`.slice(-length);
}
