import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  type PDFName,
  PDFNumber,
  type PDFRef,
} from "@cantoo/pdf-lib";
import { readCorners } from "../structure/page-boxes.ts";
import { automaticFontSize, lineHeight, padding } from "../text/text-box.ts";
import { key } from "./collect-fields.ts";
import { optionsOf, typeOf } from "./describe-field.ts";
import type { PlannedField } from "./plan-fill.ts";
import { borderWidth, drawFrame, widgetRotation } from "./widget-style.ts";

/** Stores the values of a plan and gives each widget its appearance. */

/** The form XObjects that draw the text boxes, in the order of the plan. */
export type DrawnBoxes = Iterator<PDFRef>;

export function applyField(document: PDFDocument, planned: PlannedField, drawn: DrawnBoxes): void {
  const { field, change, boxes } = planned;
  field.dict.delete(key("RV"));
  if (change.kind === "states") {
    const on = change.states.find((state) => state !== undefined);
    field.dict.set(key("V"), on ?? key("Off"));
    for (const [index, { dict }] of field.widgets.entries()) {
      const state = change.states[index];
      dict.set(key("AS"), state ?? key("Off"));
      if (state && !hasState(dict, state)) drawState(document, planned, dict, state);
    }
    return;
  }
  storeValue(planned);
  for (const [index, { dict }] of field.widgets.entries()) {
    const text = boxes[index] ? drawn.next().value : undefined;
    const appearance = drawWidget(document, planned, dict, text);
    if (appearance) dict.set(key("AP"), document.context.obj({ N: appearance }));
    dict.delete(key("AS"));
  }
}

function storeValue({ field, change, topOption }: PlannedField): void {
  const { dict } = field;
  if (change.kind === "text") return void dict.set(key("V"), PDFHexString.fromText(change.text));
  if (change.kind !== "choice") return;
  const options = optionsOf(field);
  const values = change.selected.map((index) => PDFHexString.fromText(options[index]?.value ?? ""));
  if (change.text !== undefined) values.push(PDFHexString.fromText(change.text));
  const [first] = values;
  if (first === undefined) dict.delete(key("V"));
  else dict.set(key("V"), values.length === 1 ? first : dict.context.obj(values));
  dict.delete(key("I"));
  if (typeOf(field) !== "list") return;
  dict.set(key("I"), dict.context.obj([...change.selected]));
  dict.set(key("TI"), PDFNumber.of(topOption));
}

function drawWidget(
  document: PDFDocument,
  planned: PlannedField,
  widget: PDFDict,
  text: PDFRef | undefined,
): PDFRef | undefined {
  const corners = readCorners(widget, key("Rect"));
  if (!corners) return undefined;
  const angle = widgetRotation(widget);
  const w = corners[2] - corners[0];
  const h = corners[3] - corners[1];
  const [width, height] = angle % 180 === 0 ? [w, h] : [h, w];
  const border = borderWidth(widget);
  const inner = [border, border, width - 2 * border, height - 2 * border];
  const lines = [
    "q",
    drawFrame(widget, width, height),
    "Q",
    "/Tx BMC",
    "q",
    `${inner.join(" ")} re W n`,
    drawSelection(planned, width, height, border),
    text ? `1 0 0 1 ${border} ${border} cm /Text Do` : "",
    "Q",
    "EMC",
  ];
  const matrix = {
    0: [1, 0, 0, 1, 0, 0],
    90: [0, 1, -1, 0, w, 0],
    180: [-1, 0, 0, -1, w, h],
    270: [0, -1, 1, 0, 0, h],
  };
  const stream = document.context.flateStream(lines.filter((line) => line !== "").join("\n"), {
    Type: "XObject",
    Subtype: "Form",
    FormType: 1,
    BBox: [0, 0, width, height],
    Matrix: matrix[angle],
    Resources: text ? { XObject: { Text: text } } : {},
  });
  return document.context.register(stream);
}

/** The background of the chosen options of a list. */
function drawSelection(
  { field, change, boxes, topOption }: PlannedField,
  width: number,
  height: number,
  border: number,
): string {
  if (change.kind !== "choice" || typeOf(field) !== "list") return "";
  const row = (boxes.find((box) => box)?.fontSize ?? automaticFontSize) * lineHeight;
  const rows = change.selected
    .filter((index) => index >= topOption)
    .map((index) => height - border - padding - (index - topOption + 1) * row)
    .map((bottom) => `${border} ${bottom} ${width - 2 * border} ${row} re`);
  return rows.length === 0 ? "" : `q 0.6 0.76 0.87 rg ${rows.join(" ")} f Q`;
}

function hasState(widget: PDFDict, state: PDFName): boolean {
  const appearances = widget.lookup(key("AP"));
  const states = appearances instanceof PDFDict ? appearances.lookup(key("N")) : undefined;
  return states instanceof PDFDict && states.has(state);
}

/** Gives a check box or a radio button whose file has no appearance a check mark or a dot. */
function drawState(
  document: PDFDocument,
  { field }: PlannedField,
  widget: PDFDict,
  state: PDFName,
): void {
  const corners = readCorners(widget, key("Rect"));
  if (!corners) return;
  const w = corners[2] - corners[0];
  const h = corners[3] - corners[1];
  const side = Math.min(w, h);
  const at = (x: number, y: number) => `${w / 2 + (x - 0.5) * side} ${h / 2 + (y - 0.5) * side}`;
  const check = `${side * 0.12} w 1 J 1 j ${at(0.22, 0.5)} m ${at(0.42, 0.28)} l ${at(0.78, 0.74)} l S`;
  const dot = `${side * 0.5} w 1 J ${at(0.5, 0.5)} m ${at(0.5, 0.5)} l S`;
  const frame = drawFrame(widget, w, h);
  const make = (mark: string) =>
    document.context.register(
      document.context.flateStream(`q ${frame} Q q 0 G ${mark} Q`, {
        Type: "XObject",
        Subtype: "Form",
        BBox: [0, 0, w, h],
      }),
    );
  const states = document.context.obj({});
  states.set(state, make(typeOf(field) === "radio" ? dot : check));
  states.set(key("Off"), make(""));
  widget.set(key("AP"), document.context.obj({ N: states }));
}

/** Removes what would make readers draw the values again or show others. True if XFA was removed. */
export function finishForm(form: PDFDict): boolean {
  form.delete(key("NeedAppearances"));
  return form.delete(key("XFA"));
}

/** Whether the form computes fields by JavaScript, in an order that `CO` gives. */
export function hasCalculations(form: PDFDict): boolean {
  const order = form.lookup(key("CO"));
  return order instanceof PDFArray && order.size() > 0;
}
