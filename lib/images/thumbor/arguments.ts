/** The arguments of thumbor's filters. */

/** What an argument may be; all others make the filter invalid. */
export interface ArgumentType {
  readonly pattern: RegExp;
  readonly isOptional: boolean;
}

const required = (pattern: RegExp): ArgumentType => ({ pattern, isOptional: false });

/** More digits than any filter needs. */
export const integer = required(/^-?\d{1,9}$/);
export const natural = required(/^\d{1,9}$/);
export const positive = required(/^0{0,8}[1-9]\d{0,8}$/);
export const decimal = required(/^-?(?:\d{1,9}\.?\d{0,9}|\.\d{1,9})$/);
export const truth = required(/^(?:[Tt]rue|[Ff]alse|1|0)$/);
export const text = required(/^.{1,4000}$/s);
export const word = required(/^\w{1,40}$/);

export function matching(pattern: RegExp): ArgumentType {
  return required(pattern);
}

export function optional({ pattern }: ArgumentType): ArgumentType {
  return { pattern, isOptional: true };
}

export function isTrue(argument: string | undefined): boolean {
  return argument === "1" || argument === "true" || argument === "True";
}

/** Whether the arguments are those that a filter takes. */
export function areValid(args: readonly string[], types: readonly ArgumentType[]): boolean {
  const least = types.filter(({ isOptional }) => !isOptional).length;
  if (args.length < least || args.length > types.length) return false;
  return args.every((argument, index) => types[index]?.pattern.test(argument));
}

/** Splits arguments at commas that are not in quotes or brackets. Quotes around an argument are removed. */
export function splitArguments(written: string): string[] {
  if (written.trim() === "") return [];
  const args: string[] = [];
  let start = 0;
  let isQuoted = false;
  let depth = 0;
  for (let at = 0; at <= written.length; at++) {
    const character = written[at];
    if (character === "'") isQuoted = !isQuoted;
    else if (!isQuoted && character === "[") depth++;
    else if (!isQuoted && character === "]") depth--;
    const isEnd = character === undefined || (character === "," && !isQuoted && depth === 0);
    if (!isEnd) continue;
    args.push(unquote(written.slice(start, at).trim()));
    start = at + 1;
  }
  return args;
}

function unquote(argument: string): string {
  const isQuoted = argument.length > 2 && argument.startsWith("'") && argument.endsWith("'");
  return isQuoted ? argument.slice(1, -1) : argument;
}
