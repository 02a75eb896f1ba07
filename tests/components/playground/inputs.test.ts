import { describe, expect, it } from "vitest";
import { moveItem, targetIndex } from "#components/playground/fields/move-item.ts";
import { assignFormError } from "#components/playground/form/form-error.ts";
import type { FileField, FormOperation } from "#components/playground/form/form-field.ts";
import { providedSources, type Source } from "#components/playground/form/source.ts";
import { validateForm } from "#components/playground/form/validate-form.ts";

const file = (name: string, bytes = 1): Source => ({
  kind: "file",
  file: new File(["x".repeat(bytes)], name),
});
const url = (text: string): Source => ({ kind: "url", url: text });

function formOf(...counts: [part: string, min: number, max: number][]): FormOperation {
  const files = counts.map(
    ([part, min, max]): FileField => ({
      part,
      description: "",
      required: min > 0,
      count: { min, max },
      types: "",
      accept: "",
      extensions: [],
      samples: [],
      sampleSet: [],
    }),
  );
  return {
    id: "image/test",
    group: "image",
    summary: "",
    files,
    fields: [],
    isLive: false,
    produces: [],
    example: {},
  };
}

describe("the number of inputs is checked before sending", () => {
  const several = formOf(["file", 2, 3]);

  it.each([
    ["none", [], "Choose 2 to 3 files, or add their URLs."],
    ["one and an empty URL", [file("a"), url(" ")], "Choose 2 to 3 files, or add their URLs."],
    ["enough", [file("a"), url("https://example.com/b")], undefined],
    [
      "more, of which the last is not sent",
      [file("a"), file("b"), file("c"), file("d")],
      undefined,
    ],
  ])("%s", (_name, sources, message) => {
    const error = validateForm(several, {}, { file: sources }, null);
    expect(error).toEqual(message && { field: "file", message });
  });

  it("a file that is too large is named", () => {
    const error = validateForm(several, {}, { file: [file("a"), file("big.png", 9)] }, 5);
    expect(error?.message).toMatch(/^big\.png: /);
  });

  it("an operation without a file needs none", () => {
    expect(validateForm(formOf(), {}, {}, null)).toBeUndefined();
  });

  it("one file is required, and a further one is not", () => {
    const form = formOf(["file", 1, 1], ["audio", 0, 1]);
    expect(validateForm(form, {}, {}, null)?.message).toBe("Choose a file or enter its URL.");
    expect(validateForm(form, {}, { file: [file("a")] }, null)).toBeUndefined();
  });
});

it("no more files are sent than the operation takes, in order", () => {
  const a = file("a");
  const b = url("https://example.com/b");
  const c = file("c");
  expect(providedSources({ file: [url(""), a, b, c] }, "file", 2)).toEqual([a, b]);
  expect(providedSources({}, "file", 2)).toEqual([]);
});

describe("an item of a list moves", () => {
  it.each([
    [0, 2, "bcad"],
    [3, 0, "dabc"],
    [1, 1, "abcd"],
  ])("from %d to %d", (from, to, expected) => {
    expect(moveItem([..."abcd"], from, to).join("")).toBe(expected);
  });

  it.each([
    ["ArrowUp", 2, 1],
    ["ArrowUp", 0, 0],
    ["ArrowDown", 2, 3],
    ["ArrowDown", 3, 3],
    ["Home", 2, 0],
    ["End", 0, 3],
    ["Enter", 1, undefined],
  ])("with %s from %d to %s", (key, index, expected) => {
    expect(targetIndex(key, index, 4)).toBe(expected);
  });
});

it.each([
  [
    "`inputs` must be a list of 2 to 3 URLs, ids of uploads or files in connections.",
    "invalid_input",
    "file",
  ],
  ["The form must have 2 to 3 files.", "invalid_input", "file"],
  ["Input 2: `file` must be PNG. The file is DOCX.", "invalid_input", "file"],
  ["`audio_url` must be a URL.", "invalid_parameter", "audio"],
])("the rejection %j is shown at its field", (message, code, field) => {
  const form = formOf(["file", 2, 3], ["audio", 0, 1]);
  expect(assignFormError(form, message, code)).toEqual({ field, message });
});

it("a rejection of a file that the operation does not take is shown above the form", () => {
  const message = "This operation takes no file.";
  expect(assignFormError(formOf(), message, "invalid_input").field).toBe("form");
});
