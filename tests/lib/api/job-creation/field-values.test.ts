import { expect, it } from "vitest";
import { fieldValues } from "#lib/api/job-creation/field-values.ts";

const schema = {
  properties: {
    text: { type: "string" },
    scale: { type: "number" },
    landscape: { type: "boolean" },
    operations: { type: "array" },
  },
} as const;

const ofForm = (fields: Record<string, unknown>) =>
  fieldValues({ encoding: "multipart", fields }, schema);

it.each([
  ["numbers", { scale: "2" }, { scale: "2.0" }],
  ["booleans", { landscape: "true" }, { landscape: " true " }],
  ["metadata", { metadata: '{"order":"17"}' }, { metadata: '{ "order": "17" }' }],
  [
    "output",
    { output: '{"url":"https://a.example/"}' },
    { output: '{"url" :"https://a.example/"}' },
  ],
  ["keep", { keep: "true" }, { keep: "true " }],
  ["lists", { operations: "[1.0]" }, { operations: "[1]" }],
])("%s in a form are the same however they are written", (_, one, other) => {
  expect(ofForm(one)).toEqual(ofForm(other));
});

it("text in a form stays as it is, also where it looks like a number", () => {
  expect(ofForm({ text: "2.0", scale: "large", metadata: "{" })).toEqual({
    text: "2.0",
    scale: "large",
    metadata: "{",
  });
});

it("a form has the values of the same JSON", () => {
  const fields = { text: "a", scale: 2, landscape: false, metadata: { order: "17" } };
  const texts = { text: "a", scale: "2", landscape: "false", metadata: '{"order":"17"}' };
  expect(ofForm(texts)).toEqual(fieldValues({ encoding: "json", fields }, schema));
});
