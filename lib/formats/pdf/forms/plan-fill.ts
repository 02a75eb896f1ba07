import { PDFDict, type PDFDocument, PDFName, PDFNumber } from "@cantoo/pdf-lib";
import { JobError } from "#lib/errors.ts";
import { readCorners } from "../structure/page-boxes.ts";
import { automaticFontSize, lineHeight, padding, type TextBox } from "../text/text-box.ts";
import {
  collectFields,
  formOf,
  inherited,
  key,
  type RawField,
  readText,
} from "./collect-fields.ts";
import { parseDefaultAppearance, type TextStyle } from "./default-appearance.ts";
import { hasFlag, optionsOf, readValue, typeOf } from "./describe-field.ts";
import { type FieldChange, type GivenValue, invalid, resolveValue } from "./resolve-value.ts";
import { borderWidth, widgetRotation } from "./widget-style.ts";

/** Which fields change, and the text that their widgets show. */

export interface PlannedField {
  readonly field: RawField;
  readonly change: FieldChange;
  /** The text of each widget; undefined if none is drawn. */
  readonly boxes: readonly (TextBox | undefined)[];
  /** The first option of a list that is visible. */
  readonly topOption: number;
}

export type GivenValues = Readonly<Record<string, GivenValue>>;

const maxBoxes = 5000;

/** Rows of a list that are drawn, and characters of each. */
const maxRows = 200;
const maxRowLength = 400;

/** Characters that are drawn of a text that the file has already. */
const maxCurrentText = 20_000;

/** Cells of a field that has a cell for each character. */
const maxCells = 200;

/** Throws `JobError` for a name that is no field, and for a value that a field does not take. */
export function planFill(document: PDFDocument, values: GivenValues): PlannedField[] {
  const fields = collectFields(document);
  const names = new Set(fields.map(({ name }) => name));
  const unknown = Object.keys(values).find((name) => !names.has(name));
  if (unknown !== undefined) {
    throw invalid(
      { name: unknown },
      "does not exist. List the fields of the form with form-fields",
    );
  }
  const redrawsAll = formOf(document)?.lookup(key("NeedAppearances"))?.toString() === "true";
  const planned: PlannedField[] = [];
  for (const field of fields) {
    const change = Object.hasOwn(values, field.name)
      ? resolveValue(field, values[field.name] ?? null)
      : redrawsAll
        ? currentChange(field)
        : undefined;
    if (change) planned.push(planField(field, change, document));
  }
  const count = planned.reduce((sum, { boxes }) => sum + boxes.length, 0);
  if (count > maxBoxes) {
    throw new JobError(
      "too_complex",
      `At most ${maxBoxes} places of a form can be filled at once.`,
    );
  }
  return planned;
}

/** The value that a text, dropdown or list field has already and whose appearance is missing. */
function currentChange(field: RawField): FieldChange | undefined {
  const type = typeOf(field);
  const value = readValue(field, "V");
  if (type === "text")
    return typeof value === "string"
      ? { kind: "text", text: value.slice(0, maxCurrentText) }
      : undefined;
  if ((type !== "dropdown" && type !== "list") || value === null) return undefined;
  const given = [value].flat().map(String);
  const options = optionsOf(field);
  const selected = options.flatMap((option, index) => (given.includes(option.value) ? index : []));
  return { kind: "choice", selected, ...(selected.length === 0 ? { text: given.join(", ") } : {}) };
}

function planField(field: RawField, change: FieldChange, document: PDFDocument): PlannedField {
  const style = styleOf(field, document);
  const isList = typeOf(field) === "list";
  const text = isList ? "" : shownText(field, change);
  const heights = field.widgets.map(({ dict }) => innerSize(dict)?.height ?? 0);
  const topOption =
    isList && change.kind === "choice" ? firstVisible(field, change, style, heights[0] ?? 0) : 0;
  const boxes = field.widgets.map(({ dict }): TextBox | undefined => {
    const size = innerSize(dict);
    if (!size || change.kind === "states") return undefined;
    if (isList) {
      const labels = optionsOf(field)
        .slice(topOption, topOption + maxRows)
        .map(({ label }) => label.replaceAll("\n", " ").slice(0, maxRowLength));
      const fontSize = style.fontSize || automaticFontSize;
      const common = { ...style, ...size, fontSize, text: labels.join("\n") };
      return labels.length === 0
        ? undefined
        : { ...common, align: "start", isMultiline: true, isList: true };
    }
    if (text === "") return undefined;
    const maxLength = inherited(field.dict, "MaxLen");
    const count = maxLength instanceof PDFNumber ? maxLength.asNumber() : 0;
    const isComb = hasFlag(field.dict, "comb") && typeOf(field) === "text";
    const cells = isComb && count >= 1 && count <= maxCells ? { cells: Math.floor(count) } : {};
    const isMultiline = typeOf(field) === "text" && hasFlag(field.dict, "multiline");
    return { ...style, ...size, text, align: alignmentOf(field, document), isMultiline, ...cells };
  });
  return { field, change, boxes, topOption };
}

function shownText(field: RawField, change: FieldChange): string {
  if (change.kind === "states") return "";
  if (change.kind === "choice") {
    const options = optionsOf(field);
    return change.text ?? change.selected.map((index) => options[index]?.label ?? "").join(", ");
  }
  const isPassword = typeOf(field) === "text" && hasFlag(field.dict, "password");
  return isPassword ? "•".repeat([...change.text].length) : change.text;
}

/** The index of the first option that a list shows, so that the first chosen one is visible. */
function firstVisible(
  field: RawField,
  change: FieldChange,
  style: TextStyle,
  height: number,
): number {
  const chosen = change.kind === "choice" ? (change.selected[0] ?? 0) : 0;
  const row = (style.fontSize || automaticFontSize) * lineHeight;
  const rows = Math.max(1, Math.floor((height - 2 * padding) / row));
  return chosen < rows ? 0 : Math.min(chosen, Math.max(0, optionsOf(field).length - rows));
}

/** The size of the space within the border in points, in the direction of the text. */
function innerSize(widget: PDFDict): { width: number; height: number } | undefined {
  const corners = readCorners(widget, key("Rect"));
  if (!corners) return undefined;
  const border = 2 * borderWidth(widget);
  const width = corners[2] - corners[0] - border;
  const height = corners[3] - corners[1] - border;
  if (!(width >= 1 && height >= 1 && width <= 14_400 && height <= 14_400)) return undefined;
  return widgetRotation(widget) % 180 === 0 ? { width, height } : { width: height, height: width };
}

function styleOf(field: RawField, document: PDFDocument): TextStyle {
  const form = formOf(document);
  const widget = field.widgets[0]?.dict;
  const text =
    readText(widget?.lookup(key("DA"))) ??
    readText(inherited(field.dict, "DA")) ??
    readText(form?.lookup(key("DA")));
  const resources = form?.lookup(key("DR"));
  const fonts = resources instanceof PDFDict ? resources.lookup(key("Font")) : undefined;
  return parseDefaultAppearance(text ?? "", (resource) => {
    const font = fonts instanceof PDFDict ? fonts.lookup(key(resource)) : undefined;
    const name = font instanceof PDFDict ? font.lookup(key("BaseFont")) : undefined;
    return name instanceof PDFName ? name.decodeText() : undefined;
  });
}

function alignmentOf(field: RawField, document: PDFDocument): TextBox["align"] {
  const value = inherited(field.dict, "Q") ?? formOf(document)?.lookup(key("Q"));
  const number = value instanceof PDFNumber ? value.asNumber() : 0;
  return number === 1 ? "center" : number === 2 ? "right" : "start";
}
