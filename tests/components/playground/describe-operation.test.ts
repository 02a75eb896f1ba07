import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeOperation } from "#components/playground/describe-operation.ts";
import type { Control } from "#components/playground/form/form-field.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { color, opacity, position, renderedText, time } from "#lib/operations/fields/index.ts";

/** The control of an operation's only parameter, `field`. */
function controlOf(field: z.ZodType): Control | undefined {
  const description = field.description ?? "A parameter.";
  const operation = defineOperation({
    id: "image/invented",
    title: "Invented",
    summary: "Has one parameter.",
    accepts: ["png"],
    params: z.strictObject({ field: field.optional().describe(description) }),
    example: {},
    sample: { input: "logo.png" },
    produces: () => "png",
    runsIn: "worker",
    requires: [],
    run: async () => ({ outputs: [] }),
  });
  return describeOperation(operation).fields[0]?.control;
}

const noBounds = { min: null, max: null, unit: null } as const;

const rows: [what: string, field: z.ZodType, control: Control][] = [
  ["a boolean", z.boolean(), { kind: "switch" }],
  ["an enum", z.enum(["a", "b"]), { kind: "choice", options: ["a", "b"] }],
  ["an enum of numbers", z.literal([90, 180]), { kind: "choice", options: [90, 180] }],
  [
    "a position",
    position("top"),
    { kind: "position", options: expect.arrayContaining(["top-left"]) },
  ],
  ["an opacity", opacity(1), { kind: "slider", min: 0, max: 1, integer: false, unit: null }],
  ["an integer", z.number().int(), { kind: "number", integer: true, ...noBounds }],
  [
    "a number with bounds and a unit",
    z.number().min(1).max(240).meta({ unit: "fps" }),
    { kind: "number", min: 1, max: 240, integer: false, unit: "fps" },
  ],
  [
    "a number whose description speaks of seconds",
    z.number().describe("Length in seconds."),
    { kind: "number", integer: false, ...noBounds },
  ],
  ["a time", time("A time."), { kind: "time", min: 0, max: 86_400, integer: false, unit: "s" }],
  ["a color", color("#fff"), { kind: "color" }],
  ["a text to render", renderedText, { kind: "textarea" }],
  ["other text", z.string().max(5000), { kind: "text" }],
  ["an array", z.array(z.string()), { kind: "json" }],
  ["a union of types", z.union([z.number(), z.string()]), { kind: "text" }],
];

it.each(rows)("the control of %s", (_, field, control) => {
  expect(controlOf(field)).toEqual(control);
});

describe.each(operations)("$id", (operation) => {
  const form = describeOperation(operation);

  it("has a field for each parameter", () => {
    expect(form.fields.map(({ name }) => name)).toEqual(Object.keys(operation.params.shape));
  });

  it("offers its own sample files first, each once", () => {
    const main = form.files.find(({ part }) => part === "file");
    const { inputs, files } = operation.sample;
    const parts = form.files.filter(({ part }) => Object.hasOwn(files, part));
    const names = (main?.samples ?? []).map(({ name }) => name);
    expect(names.slice(0, 1)).toEqual(inputs.slice(0, 1));
    expect(names).toEqual([...new Set(names)]);
    expect(parts.map(({ samples }) => samples[0]?.name)).toEqual(Object.values(files));
  });

  it("takes as many files as the operation, and its sample is enough", () => {
    const main = form.files.find(({ part }) => part === "file");
    expect(main?.count ?? { min: 0, max: 0 }).toEqual(operation.inputs);
    if (!main || main.count.max === 1) return;
    expect(main.sampleSet.map(({ name }) => name)).toEqual(operation.sample.inputs);
  });
});
