import type { PDFName } from "@cantoo/pdf-lib";
import { PDFNumber } from "@cantoo/pdf-lib";
import { JobError } from "#lib/errors.ts";
import { inherited, key, type RawField } from "./collect-fields.ts";
import { hasFlag, optionsOf, radioOption, typeOf } from "./describe-field.ts";
import { onStateOf } from "./on-states.ts";

/** What a request gives for a field; null clears it. */
export type GivenValue = string | number | boolean | readonly string[] | null;

/** A valid value of a field, in the form in which it is stored. */
export type FieldChange =
  | { readonly kind: "text"; readonly text: string }
  /** `selected` are indices of the options; `text` is an own text of an editable dropdown. */
  | { readonly kind: "choice"; readonly selected: readonly number[]; readonly text?: string }
  /** The state that each widget shows; undefined is off. */
  | { readonly kind: "states"; readonly states: readonly (PDFName | undefined)[] };

const maxNamed = 12;

/** Throws `JobError` if the field does not take the value; the message names the field. */
export function resolveValue(field: RawField, value: GivenValue): FieldChange {
  const type = typeOf(field);
  if (type === "text") return resolveText(field, value);
  if (type === "checkbox") return resolveCheckbox(field, value);
  if (type === "radio") return resolveRadio(field, value);
  if (type === "dropdown" || type === "list") return resolveChoice(field, value);
  if (type === "signature") throw invalid(field, "is a signature, which a value cannot make");
  throw invalid(field, "is a button and takes no value");
}

export function invalid({ name }: { readonly name: string }, problem: string): JobError {
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  return new JobError("empty", `The field \`${shown}\` ${problem}.`);
}

const isPlain = (value: GivenValue) => typeof value === "string" || typeof value === "number";

function resolveText(field: RawField, value: GivenValue): FieldChange {
  if (value === null) return { kind: "text", text: "" };
  if (!isPlain(value)) throw invalid(field, "takes a text");
  const text = String(value).replaceAll("\r\n", "\n");
  const maxLength = inherited(field.dict, "MaxLen");
  if (maxLength instanceof PDFNumber && [...text].length > maxLength.asNumber()) {
    throw invalid(field, `takes at most ${maxLength.asNumber()} characters`);
  }
  if (text.includes("\n") && !hasFlag(field.dict, "multiline")) {
    throw invalid(field, "takes only one line");
  }
  return { kind: "text", text };
}

function resolveCheckbox(field: RawField, value: GivenValue): FieldChange {
  const states = field.widgets.map(({ dict }) => onStateOf(dict) ?? key("Yes"));
  const names = [...new Set(states.map((state) => state.decodeText()))];
  const chosen = value === true ? names[0] : value === false || value === null ? undefined : value;
  const isKnown = chosen === undefined || names.includes(String(chosen)) || chosen === "Off";
  if (!isKnown) throw invalid(field, `takes true or false, or ${listNames(names)}`);
  const on = states.map((state) => (state.decodeText() === String(chosen) ? state : undefined));
  return { kind: "states", states: on };
}

function resolveRadio(field: RawField, value: GivenValue): FieldChange {
  const options = field.widgets.map((_, index) => radioOption(field, index));
  const states = field.widgets.map(({ dict }) => onStateOf(dict));
  if (value === null) return { kind: "states", states: states.map(() => undefined) };
  const byOption = options.indexOf(String(value));
  const index =
    byOption >= 0 ? byOption : states.findIndex((state) => state?.decodeText() === value);
  if (typeof value !== "string" || index < 0) {
    throw invalid(
      field,
      `takes one of the options ${listNames(optionsOf(field).map(({ value }) => value))}`,
    );
  }
  const chosen = states[index];
  return { kind: "states", states: states.map((state) => (state === chosen ? state : undefined)) };
}

function resolveChoice(field: RawField, value: GivenValue): FieldChange {
  const options = optionsOf(field);
  const isList = typeOf(field) === "list";
  if (value === null) return { kind: "choice", selected: [] };
  if (typeof value === "boolean") throw invalid(field, "takes an option");
  const given = Array.isArray(value) ? value.map(String) : [String(value)];
  if (given.length > 1 && !(isList && hasFlag(field.dict, "multiSelect"))) {
    throw invalid(field, "takes only one option");
  }
  const selected = given.map((text) => {
    const byValue = options.findIndex((option) => option.value === text);
    return byValue >= 0 ? byValue : options.findIndex((option) => option.label === text);
  });
  if (!selected.includes(-1))
    return { kind: "choice", selected: [...new Set(selected)].sort((a, b) => a - b) };
  if (!isList && hasFlag(field.dict, "edit"))
    return { kind: "choice", selected: [], text: given.join() };
  throw invalid(
    field,
    `takes one of the options ${listNames(options.map((option) => option.value))}`,
  );
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, maxNamed).map((name) => `\`${name.slice(0, 60)}\``);
  return `${shown.join(", ")}${names.length > maxNamed ? " and others" : ""}`;
}
