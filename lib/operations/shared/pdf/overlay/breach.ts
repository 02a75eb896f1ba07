import { declaredPart } from "#lib/formats/pdf/archival/declaration.ts";
import type { PdfFile } from "#lib/formats/pdf/objects/file.ts";
import {
  isArray,
  isDict,
  type PdfDict,
  PdfRef,
  type PdfValue,
} from "#lib/formats/pdf/objects/values.ts";
import { readPacket } from "#lib/formats/pdf/pages/read-packet.ts";

/** What ends the PDF/A of a file that is drawn over. */

export interface DrawnObject {
  /** What it is, for the warning, such as `this watermark`. */
  readonly name: string;
  readonly isTransparent: boolean;
  /** The part of PDF/A that its file declares, if it is the page of a user's PDF. */
  readonly part?: string | undefined;
}

/** Why a file that declares a part of PDF/A is none with what is drawn; undefined if it still is, or was none. */
export function findBreach(file: PdfFile, drawn: DrawnObject): string | undefined {
  const part = declaredPart(readPacket(file) ?? "");
  if (part === undefined) return undefined;
  if (part === "1" && drawn.isTransparent) {
    return `The PDF is not declared as PDF/A-1 any more, which does not allow transparency, such as that of ${drawn.name}.`;
  }
  const isOther = "part" in drawn && drawn.part !== part;
  return isOther
    ? `The PDF is not declared as PDF/A-${part} any more, because the PDF of the watermark is not.`
    : undefined;
}

/**
 * Whether something that these values of a file lead to is transparent (ISO 19005-1, 6.4): a picture with a soft mask, as
 * that of an emoji, a state of graphics or a group.
 */
export function hasTransparency(file: PdfFile, values: readonly PdfValue[]): boolean {
  const visited = new Set<number>();
  const queue = [...values];
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    if (value instanceof PdfRef) {
      if (!visited.has(value.number)) queue.push(file.object(value.number).value);
      visited.add(value.number);
    } else if (isArray(value)) {
      for (const item of value) queue.push(item);
    } else if (isDict(value)) {
      if (isTransparent(file, value)) return true;
      for (const entry of Object.values(value)) queue.push(entry);
    }
  }
  return false;
}

function isTransparent(file: PdfFile, dict: PdfDict): boolean {
  const [mask, mode, kind] = (["/SMask", "/BM", "/S"] as const).map((name) =>
    file.resolve(dict[name]),
  );
  const isMasked = mask !== null && mask !== "/None";
  const isBlended = mode !== null && mode !== "/Normal" && mode !== "/Compatible";
  const isFaint = (["/ca", "/CA"] as const).some((name) => {
    const opacity = file.resolve(dict[name]);
    return typeof opacity === "number" && opacity < 1;
  });
  return isMasked || isBlended || isFaint || kind === "/Transparency";
}
