import { describe, expect, it } from "vitest";
import { describeOperation } from "#components/playground/describe-operation.ts";
import { createTypeCheck, findWrongType } from "#components/playground/form/check-type.ts";
import { isAllowedValue } from "#components/playground/form/check-value.ts";
import type { Source } from "#components/playground/form/source.ts";
import { validateForm } from "#components/playground/form/validate-form.ts";
import { initialValues, valuesOfParams } from "#components/playground/form/values.ts";
import { operations } from "#lib/operations/catalogue/index.ts";

const forms = operations.map(describeOperation);
const takes = createTypeCheck(forms);
const formOf = (id: string) => {
  const form = forms.find((one) => one.id === id);
  if (!form) throw new Error(`there is no operation ${id}`);
  return form;
};
const file = (name: string): Source => ({ kind: "file", file: new File(["x"], name) });

it("the defaults, the examples and the samples of all operations are allowed", () => {
  const rejected = operations.flatMap(({ id, example, sample }) => {
    const form = formOf(id);
    const filled = [initialValues(form), form.example, valuesOfParams(form, example)];
    return [...filled, valuesOfParams(form, sample.params)].flatMap((values) =>
      form.fields
        .filter(({ name, rule }) => values[name] && !isAllowedValue(rule, values[name]))
        .map(({ name }) => `${id} ${name} ${values[name]}`),
    );
  });
  expect(rejected).toEqual([]);
});

describe("a parameter that is not allowed is found before the upload", () => {
  it.each([
    ["image/sharpen", "sigma", "11", "`sigma` must be a number from 0.1 to 10."],
    ["image/sharpen", "sigma", "strong", "`sigma` must be a number from 0.1 to 10."],
    ["video/framerate", "fps", "29.97", "`fps` must be an integer from 1 to 240."],
    [
      "image/watermark-text",
      "text",
      "x".repeat(501),
      "`text` must be text of 1 to 500 characters.",
    ],
  ])("%s with %s %s", (id, name, value, message) => {
    const values = { ...initialValues(formOf(id)), [name]: value };
    const error = validateForm(formOf(id), values, { file: [file("a")] }, null, takes);
    expect(error).toEqual({ field: name, message });
  });
});

describe("a file of a type that the operation does not take is found", () => {
  it.each([
    ["audio/convert", "photo.jpg", true],
    ["image/sharpen", "Photo.JPEG", false],
    ["image/sharpen", "photo", false],
    ["image/sharpen", "photo.unknown", false],
    ["pipeline/file-inspect", "photo.jpg", false],
  ])("%s with %s: %s", (id, name, isWrong) => {
    const error = findWrongType(formOf(id), { file: [file(name)] }, takes);
    expect(error?.field).toBe(isWrong ? "file" : undefined);
  });

  it("by the path of a URL", () => {
    const sources = { file: [{ kind: "url", url: "https://a.example/b.png?c.mp4" } as const] };
    expect(findWrongType(formOf("video/trim"), sources, takes)?.message).toContain("Choose MP4");
    expect(findWrongType(formOf("image/sharpen"), sources, takes)).toBeUndefined();
  });
});
