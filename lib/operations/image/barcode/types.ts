/** Barcode types by the names that requests use. */

export interface BarcodeType {
  /** The name in bwip-js. */
  readonly encoder: string;
  /** `linear` codes are bars, `stacked` ones rows of bars, `matrix` ones squares. */
  readonly kind: "linear" | "stacked" | "matrix";
  /** The whole text must match. Check digits and lengths are also checked when it is encoded. */
  readonly pattern: RegExp;
  /** What the pattern allows, after "must be". */
  readonly allowed: string;
  /** Whether readers expect check characters that bwip-js leaves out by default. */
  readonly addsCheck?: boolean;
  /** Whether the type defines bars and text together, so that the bars keep their height. */
  readonly hasOwnHeight?: boolean;
}

const digits = (min: number, max = min) => new RegExp(`^\\d{${min},${max}}$`);

const ascii = { pattern: /^[\x20-\x7e]{1,80}$/, allowed: "at most 80 ASCII characters" };
const anyText = { pattern: /^[\s\S]{1,3000}$/u, allowed: "at most 3,000 characters" };
const upperCase = {
  pattern: /^[0-9A-Z .$/+%-]{1,80}$/,
  allowed: "at most 80 characters of 0-9, A-Z, space and . $ / + % -",
};
// The data of an element never begins the next one. Otherwise a text divides in exponentially many ways.
const elementString = {
  pattern: /^(?:\(\d{2,4}\)(?:(?!\(\d{2,4}\))[\x20-\x7e]){1,90}){1,10}$/,
  allowed: "GS1 elements with identifiers in brackets, such as (01)09521234543213",
};

export const barcodeTypes = {
  code128: { encoder: "code128", kind: "linear", ...ascii },
  code39: { encoder: "code39", kind: "linear", ...upperCase },
  code93: { encoder: "code93", kind: "linear", ...upperCase, addsCheck: true },
  codabar: {
    encoder: "rationalizedCodabar",
    kind: "linear",
    pattern: /^[A-D][0-9$:/.+-]{1,60}[A-D]$/,
    allowed: "0-9 - $ : / . + between two letters of A to D, such as A40156B",
  },
  code11: {
    encoder: "code11",
    kind: "linear",
    pattern: /^[\d-]{1,80}$/,
    allowed: "digits and hyphens",
  },
  msi: { encoder: "msi", kind: "linear", pattern: digits(1, 60), allowed: "at most 60 digits" },
  pharmacode: {
    encoder: "pharmacode",
    kind: "linear",
    pattern: /^(?:[3-9]|[1-9]\d{1,4}|1[0-2]\d{4}|130\d{3}|1310[0-6]\d|131070)$/,
    allowed: "a number from 3 to 131070",
  },
  itf: {
    encoder: "interleaved2of5",
    kind: "linear",
    pattern: /^(\d\d){1,40}$/,
    allowed: "an even number of digits, at most 80",
  },
  itf14: {
    encoder: "itf14",
    kind: "linear",
    pattern: digits(13, 14),
    allowed: "13 digits, or 14 with the check digit",
    hasOwnHeight: true,
  },
  ean13: {
    encoder: "ean13",
    kind: "linear",
    pattern: digits(12, 13),
    allowed: "12 digits, or 13 with the check digit",
    hasOwnHeight: true,
  },
  ean8: {
    encoder: "ean8",
    kind: "linear",
    pattern: digits(7, 8),
    allowed: "7 digits, or 8 with the check digit",
    hasOwnHeight: true,
  },
  upca: {
    encoder: "upca",
    kind: "linear",
    pattern: digits(11, 12),
    allowed: "11 digits, or 12 with the check digit",
    hasOwnHeight: true,
  },
  upce: {
    encoder: "upce",
    kind: "linear",
    pattern: /^[01]\d{6,7}$/,
    allowed: "7 digits that begin with 0 or 1, or 8 with the check digit",
    hasOwnHeight: true,
  },
  isbn: {
    encoder: "isbn",
    kind: "linear",
    pattern: /^(?=.{11,17}$)\d+(-\d+){3,4}(-X)?$/,
    allowed: "an ISBN with its hyphens, such as 978-1-56581-231-4",
    hasOwnHeight: true,
  },
  gs1_128: { encoder: "gs1-128", kind: "linear", ...elementString, hasOwnHeight: true },
  databar: {
    encoder: "databaromni",
    kind: "linear",
    pattern: /^\(01\)\d{14}$/,
    allowed: "an identifier and 14 digits, such as (01)09521234543213",
    hasOwnHeight: true,
  },
  pdf417: { encoder: "pdf417", kind: "stacked", ...anyText },
  micropdf417: { encoder: "micropdf417", kind: "stacked", ...anyText },
  datamatrix: { encoder: "datamatrix", kind: "matrix", ...anyText },
  gs1_datamatrix: { encoder: "gs1datamatrix", kind: "matrix", ...elementString },
  aztec: { encoder: "azteccode", kind: "matrix", ...anyText },
  qrcode: { encoder: "qrcode", kind: "matrix", ...anyText },
  microqrcode: { encoder: "microqrcode", kind: "matrix", ...anyText },
  maxicode: {
    encoder: "maxicode",
    kind: "matrix",
    pattern: /^[\x20-\x7e]{1,93}$/,
    allowed: "at most 93 ASCII characters",
  },
} as const satisfies Record<string, BarcodeType>;

export type BarcodeTypeName = keyof typeof barcodeTypes;

/** Object.keys types the keys as text. */
export const barcodeTypeNames = Object.keys(barcodeTypes) as BarcodeTypeName[];
