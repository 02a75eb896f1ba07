import { PDFArray, PDFDict, PDFNumber, type PDFObject } from "@cantoo/pdf-lib";
import { key } from "./collect-fields.ts";

/** Border, background and rotation of a widget (ISO 32000-1, 12.5.4 and 12.5.6.19). */

function characteristics(widget: PDFDict): PDFDict | undefined {
  const found = widget.lookup(key("MK"));
  return found instanceof PDFDict ? found : undefined;
}

/** The rotation in degrees, counterclockwise. */
export function widgetRotation(widget: PDFDict): 0 | 90 | 180 | 270 {
  const angle = characteristics(widget)?.lookup(key("R"));
  const turn = angle instanceof PDFNumber ? ((angle.asNumber() % 360) + 360) % 360 : 0;
  return turn === 90 || turn === 180 || turn === 270 ? turn : 0;
}

/** The width of the border in points; 0 if the widget has no border. */
export function borderWidth(widget: PDFDict): number {
  if (!colorOperator(characteristics(widget)?.lookup(key("BC")), "stroke")) return 0;
  const style = widget.lookup(key("BS"));
  const width = style instanceof PDFDict ? style.lookup(key("W")) : undefined;
  return width instanceof PDFNumber ? Math.max(0, Math.min(12, width.asNumber())) : 1;
}

/** The operators that draw the background and the border of a widget of this size in points. */
export function drawFrame(widget: PDFDict, width: number, height: number): string {
  const look = characteristics(widget);
  const background = colorOperator(look?.lookup(key("BG")), "fill");
  const border = colorOperator(look?.lookup(key("BC")), "stroke");
  const line = borderWidth(widget);
  const parts = background ? [`${background} 0 0 ${width} ${height} re f`] : [];
  if (border && line > 0) {
    const frame = [line / 2, line / 2, width - line, height - line].join(" ");
    parts.push(`${border} ${line} w ${frame} re S`);
  }
  return parts.join("\n");
}

const operators = { fill: ["g", "rg", "k"], stroke: ["G", "RG", "K"] } as const;

function colorOperator(
  color: PDFObject | undefined,
  use: keyof typeof operators,
): string | undefined {
  if (!(color instanceof PDFArray)) return undefined;
  const numbers = color.asArray().flatMap((_, index) => {
    const value = color.lookup(index);
    return value instanceof PDFNumber ? value.asNumber() : [];
  });
  const operator = operators[use][numbers.length === 4 ? 2 : numbers.length === 3 ? 1 : 0];
  return [1, 3, 4].includes(numbers.length) ? `${numbers.join(" ")} ${operator}` : undefined;
}
