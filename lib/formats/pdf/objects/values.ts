/** Values of PDF objects (ISO 32000-1, 7.3) as JavaScript values. A name is a string that begins with `/`. */
export type PdfValue = null | boolean | number | PdfName | PdfString | PdfRef | PdfArray | PdfDict;

export type PdfName = `/${string}`;
export type PdfArray = readonly PdfValue[];
export interface PdfDict {
  readonly [name: PdfName]: PdfValue;
}

/** An indirect reference. Generations are always 0: qpdf renumbers the objects of all files. */
export class PdfRef {
  readonly number: number;

  constructor(number: number) {
    this.number = number;
  }
}

/** A string as it is written in a file, with its delimiters: `(text)` or `<feff0041>`, in Latin-1. */
export class PdfString {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

export function isDict(value: PdfValue | undefined): value is PdfDict {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof PdfRef) &&
    !(value instanceof PdfString)
  );
}

/** Array.isArray alone would not narrow a readonly array. */
export function isArray(value: PdfValue | undefined): value is PdfArray {
  return Array.isArray(value);
}

/** Returns `dict` without the entries `names`. */
export function without(dict: PdfDict, ...names: readonly PdfName[]): PdfDict {
  const entries = Object.entries(dict).filter(([name]) => !names.some((other) => other === name));
  return Object.fromEntries(entries);
}
