import type { UploadedFile } from "#lib/api/http/store-upload.ts";
import { invalidForm } from "../base/errors.ts";
import { parseBool, parseDuration, parseFloat64, parseInteger } from "../base/go-values.ts";
import { type GoType, unmarshal } from "../base/unmarshal.ts";
import { sortNames } from "./sort-names.ts";

/** What a form of Gotenberg has: texts by field in their order, and files as `addFile` adds them. */
export interface FormContent {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly files: ReadonlyMap<string, FormFile>;
}

/** A file of a form. */
export interface FormFile {
  readonly field: string;
  readonly stored: UploadedFile;
}

/** Fields whose files are not converted but used in another way. */
const otherFields: ReadonlySet<string> = new Set(["embeds", "watermark", "stamp", "facturxXml"]);

/**
 * Adds a file to those of a form. The files that are converted have their names as keys, so of several with one name
 * the last one counts. All others count, also those with the name of another file: a page may show a picture that is
 * its stamp, too.
 */
export function addFile(files: Map<string, FormFile>, name: string, file: FormFile): void {
  files.set(otherFields.has(file.field) ? `${file.field}/${files.size}` : name, file);
}

/** Inches of the units that lengths may have. */
const unitInches: Readonly<Record<string, number>> = {
  pt: 1 / 72,
  px: 1 / 96,
  in: 1,
  mm: 1 / 25.4,
  cm: 1 / 2.54,
  pc: 1 / 6,
};

/**
 * Reads the fields of a form. Faults are collected, and `validate` throws all of them, one a line. An empty text is
 * as good as none.
 */
export class Form {
  readonly #content: FormContent;
  readonly #faults: string[] = [];

  constructor(content: FormContent) {
    this.#content = content;
  }

  /** Throws 400 if any field was not valid. */
  validate(): void {
    if (this.#faults.length > 0) throw invalidForm(this.#faults.join("\n"));
  }

  text(name: string, preset = ""): string {
    return this.#first(name) || preset;
  }

  bool(name: string, preset: boolean): boolean {
    return this.parse(name, preset, parseBool);
  }

  integer(name: string, preset: number): number {
    return this.parse(name, preset, parseInteger);
  }

  number(name: string, preset: number): number {
    return this.parse(name, preset, parseFloat64);
  }

  /** Milliseconds. */
  duration(name: string, preset: number): number {
    return this.parse(name, preset, parseDuration);
  }

  /** A length in inches. */
  inches(name: string, preset: number): number {
    return this.parse(name, preset, (text) => {
      const unit = Object.keys(unitInches).find((one) => text.endsWith(one));
      if (!unit) return parseFloat64(text);
      return parseFloat64(text.slice(0, -unit.length)) * (unitInches[unit] ?? 1);
    });
  }

  /** JSON of a type; without the field, its zero value. */
  json<Value>(name: string, type: GoType<Value>): Value {
    return this.parse(name, type.zero(), (text) => unmarshalField(name, text, type));
  }

  /** A value that `parse` reads. It throws an error that says what is wrong. */
  parse<Value>(name: string, preset: Value, parse: (text: string) => Value): Value {
    const text = this.#first(name);
    if (!text) return preset;
    try {
      return parse(text);
    } catch (error) {
      this.#fault(name, text, messageOf(error));
      return preset;
    }
  }

  /** Adds a fault if the field has no text. */
  require(name: string): void {
    if (!this.#first(name)) this.#faults.push(`form field '${name}' is required`);
  }

  /** Adds the fault of a field that is not valid together with others. */
  reject(name: string, problem: string): void {
    this.#fault(name, this.#first(name), problem);
  }

  /** JSON of a type, whose fault is left out after one of an earlier field, as Gotenberg does for `embedsMetadata`. */
  jsonUnlessFaulty<Value>(name: string, type: GoType<Value>): Value {
    const text = this.#first(name);
    if (!text || this.#faults.length > 0) return type.zero();
    try {
      return unmarshal(text, type);
    } catch (error) {
      this.#faults.push(`form field '${name}' is invalid: ${messageOf(error)}`);
      return type.zero();
    }
  }

  /** All values of a field, in their order. */
  all(name: string): readonly string[] {
    return this.#content.values.get(name) ?? [];
  }

  /** The file with a name, whose extension may be in capital letters. */
  file(name: string): UploadedFile | undefined {
    for (const [given, { stored }] of this.#content.files) {
      if (given === name || lowerExtension(given) === name) return stored;
    }
    return undefined;
  }

  requireFile(name: string): UploadedFile | undefined {
    const file = this.file(name);
    if (!file) this.#faults.push(`form file '${name}' is required`);
    else if (file.bytes === 0) this.#faults.push(emptyFile(name));
    return file;
  }

  /** The files that are converted, with one of the extensions, sorted by name. Adds a fault if there is none. */
  requireFiles(extensions: readonly string[]): UploadedFile[] {
    const names = [...this.#content.files]
      .filter(
        ([name, { field }]) => !otherFields.has(field) && extensions.includes(extensionOf(name)),
      )
      .map(([name]) => name);
    if (names.length === 0) {
      this.#faults.push(`no form file found for extensions: [${extensions.join(" ")}]`);
    }
    return sortNames(names).flatMap((name) => this.#content.files.get(name)?.stored ?? []);
  }

  /** The PDF files, sorted by name. Adds a fault if there is none, and for each that is no PDF by its content. */
  requirePdfs(): UploadedFile[] {
    const files = this.requireFiles([".pdf"]);
    const others = files.filter(({ type }) => type.id !== "pdf");
    this.#faults.push(...others.map((file) => wrongContent(file, "PDF")));
    return files;
  }

  /** The files of a field, in their order. Adds a fault for each that is empty. */
  filesOf(field: string): UploadedFile[] {
    const found = [...this.#content.files.values()].filter((file) => file.field === field);
    const files = found.map(({ stored }) => stored);
    const empty = files.filter(({ bytes }) => bytes === 0);
    this.#faults.push(...empty.map(({ filename }) => emptyFile(filename)));
    return files;
  }

  /** All files that a page may refer to: those that are not used in another way. */
  assets(): ReadonlyMap<string, UploadedFile> {
    const files = [...this.#content.files].filter(([, { field }]) => !otherFields.has(field));
    return new Map(files.map(([name, { stored }]) => [name, stored]));
  }

  #first(name: string): string {
    return this.#content.values.get(name)?.[0] ?? "";
  }

  #fault(name: string, text: string, problem: string): void {
    this.#faults.push(`form field '${name}' is invalid (got '${text}', resulting to ${problem})`);
  }
}

/** The extension of a file name with its dot, in lower case. */
export function extensionOf(name: string): string {
  return /\.[^./]*$/.exec(name)?.[0].toLowerCase() ?? "";
}

function lowerExtension(name: string): string {
  const extension = extensionOf(name);
  return name.slice(0, name.length - extension.length) + extension;
}

const emptyFile = (name: string) => `form file '${name}' is invalid (it is empty)`;

/** The fault of a file that is not what its name or another field says. */
export function wrongContent(file: UploadedFile, expected: "PDF" | "image"): string {
  const { filename, type, bytes } = file;
  const known = type.id === "unknown" ? "of an unknown type" : type.label;
  const found = bytes === 0 ? "empty" : known;
  return `form file '${filename}' is invalid (its content is not ${expected === "PDF" ? "a PDF" : "an image"}, but ${found})`;
}

/** Reads the JSON of a field. Throws an error that names it. */
export function unmarshalField<Value>(name: string, text: string, type: GoType<Value>): Value {
  try {
    return unmarshal(text, type);
  } catch (error) {
    throw new Error(`unmarshal ${name}: ${messageOf(error)}`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
