import type { ErrorCorrection } from "../../fields/index.ts";
import type { BarcodeSymbol } from "../../shared/image/draw-symbol.ts";
import { type BarcodeType, type BarcodeTypeName, barcodeTypes } from "./types.ts";

/** Height of the bars of a linear code, in millimeters at 72 dots per inch. */
const barHeight = 15;

/** Types whose digits are between long bars, so that they must keep a distance from the short ones. */
const retailTypes: ReadonlySet<string> = new Set(["ean13", "ean8", "upca", "upce", "isbn"]);

/** The offset of their digits from the lower end of the bars; with the default, they touch the bars. */
const retailTextOffset = -7;

/** The ECI that says that bytes are UTF-8 (AIM ECI specification). */
const utf8Marker = "^ECI000026";

/**
 * The error correction by type: the security level of PDF417, and the share of correction words of
 * Aztec in percent.
 */
const correction: Partial<Record<BarcodeTypeName, Record<ErrorCorrection, number | string>>> = {
  qrcode: { L: "L", M: "M", Q: "Q", H: "H" },
  pdf417: { L: 2, M: 4, Q: 5, H: 6 },
  aztec: { L: 10, M: 23, Q: 36, H: 50 },
};

/** Types whose error correction can be chosen. */
export const correctableTypes: ReadonlySet<string> = new Set(Object.keys(correction));

/** The symbol of `type` with `text`, which matches the pattern of the type. */
export function buildSymbol(
  type: BarcodeTypeName,
  text: string,
  level: ErrorCorrection | undefined,
): BarcodeSymbol {
  const { encoder, kind, hasOwnHeight, addsCheck }: BarcodeType = barcodeTypes[type];
  // QR codes without a marker are read as UTF-8 by all readers, and some cannot read the marker.
  const isMarked = kind !== "linear" && type !== "qrcode" && type !== "microqrcode";
  const needsMarker = isMarked && /\P{ASCII}/u.test(text);
  const chosen = level && correction[type]?.[level];
  return {
    encoder,
    label: type,
    text: needsMarker ? utf8Marker + text.replaceAll("^", "^^") : text,
    moduleUnits: kind === "matrix" ? 2 : 1,
    options: {
      includetext: kind === "linear",
      ...(retailTypes.has(type) ? { textyoffset: retailTextOffset } : {}),
      ...(addsCheck ? { includecheck: true } : {}),
      ...(needsMarker ? { parsefnc: true } : {}),
      ...(kind === "linear" && !hasOwnHeight ? { height: barHeight } : {}),
      ...(chosen === undefined ? {} : { eclevel: chosen }),
    },
  };
}

/** The margin that readers of the type need, in modules. */
export function defaultMargin(type: BarcodeTypeName): number {
  const { kind }: BarcodeType = barcodeTypes[type];
  if (kind === "linear") return type === "ean13" || type === "isbn" ? 11 : 10;
  return type === "qrcode" ? 4 : 2;
}
