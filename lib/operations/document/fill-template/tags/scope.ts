import { JobError } from "#lib/errors.ts";
import { type Tag, tagText, templateError } from "./tags.ts";

/** The values of the tags. Only own properties are read: prototypes have none for templates. */
export class Scope {
  readonly #value: unknown;
  readonly #parent: Scope | undefined;

  constructor(value: unknown, parent?: Scope) {
    this.#value = value;
    this.#parent = parent;
  }

  /**
   * The value of a tag: its first name is looked for in the item of the loop, then around it. Throws
   * `JobError("corrupt")` if there is none; null is a value.
   */
  find(tag: Tag, place: string): unknown {
    if (tag.name === ".") return this.#value;
    const [first = "", ...path] = tag.name.split(".");
    let scope: Scope | undefined = this;
    while (scope && !hasOwn(scope.#value, first)) scope = scope.#parent;
    let value: unknown = scope ? scope.#value : undefined;
    for (const name of [first, ...path]) {
      if (!hasOwn(value, name)) {
        throw templateError(place, tagText(tag), `there is no value ${tag.name} in the data`);
      }
      value = value[name];
    }
    return value;
  }

  /** The scopes of a section's repetitions: one for each item, one for a condition that is met. */
  repeat(tag: Tag, place: string): Scope[] {
    const value = this.find(tag, place);
    if (tag.kind === "inverted") return isEmpty(value) ? [this] : [];
    if (Array.isArray(value)) return value.map((item) => new Scope(item, this));
    if (isEmpty(value)) return [];
    return [typeof value === "object" ? new Scope(value, this) : this];
  }

  /** A text, number or boolean; null is an empty text. Throws `JobError("corrupt")` otherwise. */
  print(tag: Tag, place: string): string | number | boolean {
    const value = this.find(tag, place);
    if (value === null) return "";
    if (typeof value === "string") return cleanText(value);
    if (typeof value === "number" || typeof value === "boolean") return value;
    const kind = Array.isArray(value) ? "a list" : "an object";
    throw templateError(place, tagText(tag), `its value is ${kind}, not a text or number`);
  }
}

function hasOwn(value: unknown, name: string): value is Record<string, unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.hasOwn(value, name)
  );
}

function isEmpty(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0);
}

/** Returns the text without the characters that XML cannot have. */
function cleanText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them.
  return text.toWellFormed().replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "");
}

const maxRepetitions = 20_000;
const maxElements = 1_500_000;
const maxCharacters = 30e6;

/** Counts what a template grows by. Each method throws `JobError("too_complex")`. */
export class GrowthLimit {
  #repetitions = 0;
  #elements = 0;
  #characters = 0;

  /** A repetition of so many elements. */
  repeat(elements: number): void {
    this.#repetitions++;
    this.#elements += elements;
    if (this.#repetitions > maxRepetitions || this.#elements > maxElements) {
      throw new JobError("too_complex", "The template repeats too much content.");
    }
  }

  write(text: string): void {
    this.#characters += text.length;
    if (this.#characters > maxCharacters) {
      throw new JobError("too_complex", "The filled template has too much text.");
    }
  }
}
