import type { PdfFile } from "./file.ts";
import { isArray, isDict, type PdfName, PdfRef, type PdfValue } from "./values.ts";
import type { PdfWriter } from "./writer.ts";

/** Copies objects of a file, with all objects that they refer to, under new numbers. */
export class PdfCopier {
  readonly #file: PdfFile;
  readonly #writer: PdfWriter;
  /** The references in the written file by object number; null for objects that are not copied. */
  readonly #targets = new Map<number, PdfRef | null>();
  readonly #structureOffset: number;
  #queue: number[] = [];

  /** `structureOffset` is added to the keys of the structure tree's parent tree. */
  constructor(file: PdfFile, writer: PdfWriter, { structureOffset = 0 } = {}) {
    this.#file = file;
    this.#writer = writer;
    this.#structureOffset = structureOffset;
  }

  /** Makes references to the object lead to `target` from now on, or removes them if it is null. */
  replace(number: number, target: PdfRef | null): void {
    this.#targets.set(number, target);
  }

  /** Where an object is, or will be, in the written file. */
  target(number: number): PdfRef | null {
    const known = this.#targets.get(number);
    if (known !== undefined) return known;
    const target = this.#file.object(number).value === null ? null : this.#writer.allocate();
    this.#targets.set(number, target);
    if (target) this.#queue.push(number);
    return target;
  }

  /** Returns `value` with references of the written file. */
  value(value: PdfValue): PdfValue {
    if (value instanceof PdfRef) return this.target(value.number);
    if (isArray(value)) return value.map((item) => this.value(item));
    if (!isDict(value)) return value;
    const copied: Record<PdfName, PdfValue> = {};
    for (const [key, entry] of Object.entries(value)) {
      const name = key as PdfName; // the type of Object.entries is wider
      const isStructureKey = name === "/StructParents" || name === "/StructParent";
      copied[name] =
        isStructureKey && typeof entry === "number"
          ? entry + this.#structureOffset
          : this.value(entry);
    }
    return copied;
  }

  /** Writes all objects that were referred to so far, and those that these refer to. */
  finish(): void {
    for (let number = this.#queue.pop(); number !== undefined; number = this.#queue.pop()) {
      const target = this.#targets.get(number);
      if (!target) continue;
      const object = this.#file.object(number);
      const data = this.#file.readData(object);
      const value = this.value(object.value);
      if (data && isDict(value)) this.#writer.writeStream(target, value, data);
      else this.#writer.write(target, value);
    }
  }
}
