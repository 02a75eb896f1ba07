import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeOperation } from "#components/playground/describe-operation.ts";
import type { Control } from "#components/playground/form-field.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { color, drawnText, opacity, position } from "#lib/operations/fields/index.ts";

/** The form of an operation with one parameter, `field`. */
function controlOf(field: z.ZodType): Control | undefined {
  const operation = defineOperation({
    id: "image/invented",
    summary: "Has one parameter.",
    accepts: ["png"],
    params: z.strictObject({ field: field.optional().describe(field.description ?? "A field.") }),
    example: {},
    produces: () => "png",
    engine: "image",
    requires: [],
    run: async () => ({ outputs: [] }),
  });
  return describeOperation(operation).fields[0]?.control;
}

const rows: [what: string, field: z.ZodType, control: Control][] = [
  ["a boolean", z.boolean(), { kind: "switch" }],
  ["words", z.enum(["a", "b"]), { kind: "choice", options: ["a", "b"] }],
  ["a place", position, { kind: "position", options: expect.arrayContaining(["top-left"]) }],
  ["a share", opacity(1), { kind: "number", min: 0, max: 1, integer: false }],
  ["a count", z.number().int(), { kind: "number", min: null, max: null, integer: true }],
  [
    "a time",
    z.number().min(0).max(60).describe("Length in seconds."),
    { kind: "time", min: 0, max: 60, integer: false },
  ],
  [
    "a rate",
    z.number().min(1).max(240).describe("Frames per second."),
    { kind: "number", min: 1, max: 240, integer: false },
  ],
  ["a colour", color("#fff"), { kind: "color" }],
  ["a text to draw", drawnText, { kind: "text", long: true, maxLength: 500 }],
  ["a word", z.string().max(50), { kind: "text", long: false, maxLength: 50 }],
  ["a list", z.array(z.string()), { kind: "json" }],
  [
    "one of two types",
    z.union([z.number(), z.string()]),
    { kind: "text", long: false, maxLength: null },
  ],
];

describe("the control for", () => {
  it.each(rows)("%s is the one that fits", (_what, field, control) => {
    expect(controlOf(field)).toEqual(control);
  });
});

describe.each(operations)("$id", (operation) => {
  const form = describeOperation(operation);

  it("has a field for each parameter, and an input to try it with", () => {
    expect(form.fields.map(({ name }) => name)).toEqual(Object.keys(operation.params.shape));
    for (const { description } of form.fields) expect(description).not.toBe("");
    expect(form.files[0]?.samples).not.toEqual([]);
  });
});
