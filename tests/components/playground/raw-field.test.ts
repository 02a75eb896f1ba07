import { expect, test } from "vitest";
import type { FormField } from "#components/playground/form/form-field.ts";
import { shownFields } from "#components/playground/form/raw-field.ts";
import type { Source } from "#components/playground/form/source.ts";

const control = { kind: "text" } as const;
const base = {
  description: "A field.",
  required: false,
  initial: null,
  control,
  secret: false,
  rule: {},
  allowed: "",
};
const fields: FormField[] = ["width", "raw"].map((name) => ({ ...base, name }));
const file = (name: string): Source => ({ kind: "file", file: new File([], name) });

test.each([
  [[file("IMG_1.CR2")], true],
  [[file("a.jpg"), file("b.dng")], true],
  [[{ kind: "url", url: "https://a.example/x.nef?download" }] as Source[], true],
  [[file("photo.jpg")], false],
  [[file("dng.png")], false],
  [[], false],
])("the field of camera RAW files with %j: %s", (sources, isShown) => {
  const shown = shownFields(fields, { file: sources }, () => false);
  expect(shown.some(({ name }) => name === "raw")).toBe(isShown);
  expect(shown.some(({ name }) => name === "width")).toBe(true);
});

test("the field stays while it has a value", () => {
  expect(shownFields(fields, {}, (name) => name === "raw")).toEqual(fields);
});
