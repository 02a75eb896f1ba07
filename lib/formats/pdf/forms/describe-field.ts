import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
} from "@cantoo/pdf-lib";
import { type PageBox, readCorners, toPageBox, viewOf } from "../structure/page-boxes.ts";
import { inherited, key, type RawField, readFlags, readText } from "./collect-fields.ts";
import { readOnState } from "./on-states.ts";

/** What a form field is, for people who fill it. */

export const fieldTypes = [
  "text",
  "checkbox",
  "radio",
  "dropdown",
  "list",
  "button",
  "signature",
  "unknown",
] as const;

export type FieldType = (typeof fieldTypes)[number];
export type FieldValue = string | boolean | string[] | null;

export interface FieldWidget {
  readonly page: number | null;
  readonly box: PageBox | null;
  /** The option that the button of a radio group chooses. */
  readonly option?: string;
}

export interface FieldOption {
  /** What `values` of fill-form takes and the form sends. */
  readonly value: string;
  /** What a reader shows. */
  readonly label: string;
}

export interface FieldDescription {
  readonly name: string;
  readonly type: FieldType;
  /** The name for people, which readers show as a tooltip. */
  readonly label: string | null;
  /** Text, the chosen options, or true and false; of a signature field whether it is signed. */
  readonly value: FieldValue;
  readonly default: FieldValue;
  /** The options of a radio group, a dropdown or a list. */
  readonly options?: readonly FieldOption[];
  readonly required: boolean;
  readonly read_only: boolean;
  readonly multiline?: boolean;
  /** Whether a list takes several options. */
  readonly multiple?: boolean;
  /** Whether a dropdown takes text that is no option. */
  readonly editable?: boolean;
  /** The maximum length in characters. */
  readonly max_length?: number;
  /** The page of the first widget. */
  readonly page: number | null;
  readonly box: PageBox | null;
  /** All places of the field. */
  readonly widgets: readonly FieldWidget[];
}

const bit = (position: number) => 2 ** (position - 1);

/** Bits of `Ff` (ISO 32000-1, tables 221, 226, 228 and 230). */
export const fieldFlags = {
  readOnly: bit(1),
  required: bit(2),
  multiline: bit(13),
  password: bit(14),
  radio: bit(16),
  pushButton: bit(17),
  combo: bit(18),
  edit: bit(19),
  multiSelect: bit(22),
  comb: bit(25),
} as const;

export const hasFlag = (field: PDFDict, name: keyof typeof fieldFlags) =>
  (readFlags(field) & fieldFlags[name]) !== 0;

export function typeOf({ dict }: RawField): FieldType {
  const type = inherited(dict, "FT");
  if (type === key("Tx")) return "text";
  if (type === key("Sig")) return "signature";
  if (type === key("Ch")) return hasFlag(dict, "combo") ? "dropdown" : "list";
  if (type !== key("Btn")) return "unknown";
  if (hasFlag(dict, "pushButton")) return "button";
  return hasFlag(dict, "radio") ? "radio" : "checkbox";
}

/** The options of a dropdown or a list, and of a radio group the states of its buttons. */
export function optionsOf(field: RawField): FieldOption[] {
  const type = typeOf(field);
  if (type === "radio") {
    const values = field.widgets.map((_, index) => radioOption(field, index));
    return [...new Set(values)].flatMap((value) =>
      value === undefined ? [] : { value, label: value },
    );
  }
  if (type !== "dropdown" && type !== "list") return [];
  const options = inherited(field.dict, "Opt");
  if (!(options instanceof PDFArray)) return [];
  return options.asArray().flatMap((_, index) => {
    const option = options.lookup(index);
    const pair =
      option instanceof PDFArray ? [option.lookup(0), option.lookup(1)] : [option, option];
    const [value, label] = pair.map(readText);
    return value === undefined ? [] : { value, label: label ?? value };
  });
}

/** The export value of a button of a radio group: its text in `Opt`, or the name of its state. */
export function radioOption({ dict, widgets }: RawField, index: number): string | undefined {
  const options = inherited(dict, "Opt");
  const text =
    options instanceof PDFArray && index < options.size()
      ? readText(options.lookup(index))
      : undefined;
  const widget = widgets[index];
  return text ?? (widget && readOnState(widget.dict));
}

export function describeField(field: RawField, document: PDFDocument): FieldDescription {
  const { dict, name } = field;
  const type = typeOf(field);
  const views = document.getPages();
  const widgets = field.widgets.map(({ dict: widget, page }, index): FieldWidget => {
    const corners = readCorners(widget, key("Rect"));
    const onPage = page === undefined ? undefined : views[page - 1];
    const option = type === "radio" ? radioOption(field, index) : undefined;
    return {
      page: page ?? null,
      box: corners && onPage ? toPageBox(corners, viewOf(onPage)) : null,
      ...(option === undefined ? {} : { option }),
    };
  });
  const maxLength = type === "text" ? inherited(dict, "MaxLen") : undefined;
  const isChoice = type === "dropdown" || type === "list";
  return {
    name,
    type,
    label: readText(inherited(dict, "TU")) ?? null,
    value: type === "signature" ? dict.lookup(key("V")) instanceof PDFDict : readValue(field, "V"),
    default: type === "signature" ? null : readValue(field, "DV"),
    ...(isChoice || type === "radio" ? { options: optionsOf(field) } : {}),
    required: hasFlag(dict, "required"),
    read_only: hasFlag(dict, "readOnly"),
    ...(type === "text" ? { multiline: hasFlag(dict, "multiline") } : {}),
    ...(type === "list" ? { multiple: hasFlag(dict, "multiSelect") } : {}),
    ...(type === "dropdown" ? { editable: hasFlag(dict, "edit") } : {}),
    ...(maxLength instanceof PDFNumber ? { max_length: maxLength.asNumber() } : {}),
    page: widgets[0]?.page ?? null,
    box: widgets[0]?.box ?? null,
    widgets,
  };
}

export function readValue(field: RawField, name: "V" | "DV"): FieldValue {
  const type = typeOf(field);
  const value = inherited(field.dict, name);
  if (type === "button") return null;
  if (type === "checkbox") {
    if (name === "DV" && value === undefined) return null;
    const shown = field.widgets[0]?.dict.lookup(key("AS"));
    const state = value instanceof PDFName ? value : shown;
    return state instanceof PDFName && state !== key("Off");
  }
  if (type === "radio") return readRadioValue(field, value);
  if (value instanceof PDFArray) {
    return value.asArray().flatMap((_, index) => readText(value.lookup(index)) ?? []);
  }
  return (value instanceof PDFRawStream ? readTextStream(value) : readText(value)) ?? null;
}

/** More than a person types. */
const maxTextBytes = 2 ** 20;

/** A long text may be a stream. Undefined if its filter is unknown, or its data is damaged. */
function readTextStream(stream: PDFRawStream): string | undefined {
  try {
    const bytes = decodePDFRawStream(stream).getBytes(maxTextBytes);
    return readText(PDFHexString.of(Buffer.from(bytes).toString("hex")));
  } catch {
    return undefined;
  }
}

function readRadioValue(field: RawField, value: PDFObject | undefined): string | null {
  if (!(value instanceof PDFName) || value === key("Off")) return null;
  const state = value.decodeText();
  const index = field.widgets.findIndex(({ dict }) => readOnState(dict) === state);
  return (index < 0 ? undefined : radioOption(field, index)) ?? state;
}
