import { expect, it } from "vitest";
import { z } from "zod";
import { inputSchema } from "#lib/api/http/schema-messages.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import { color, optionalColor, quality } from "#lib/operations/fields/index.ts";
import { boundsOf, controlOf, parameterSchemas } from "#lib/operations/parameter-schema.ts";

it("control and unit are read through defaults and optional fields", () => {
  const params = z.strictObject({
    inner: z.number().meta({ control: "time", unit: "s" }).default(1).describe("A time."),
    outer: color("#fff"),
    optional: optionalColor("The default is black."),
    plain: z.string(),
  });
  const { properties, required } = parameterSchemas(params);
  expect(properties.inner).toMatchObject({ control: "time", unit: "s", default: 1 });
  expect(properties.outer).toMatchObject({ control: "color", default: "#fff" });
  expect(properties.optional).toMatchObject({ control: "color" });
  expect(required).toEqual(["plain"]);
});

it("without a control, the type decides", () => {
  expect(controlOf({ type: "boolean" })).toBe("switch");
  expect(controlOf({ type: "integer" })).toBe("number");
  expect(controlOf({ type: "number", enum: [90, 180] })).toBe("choice");
  expect(controlOf({ type: "array" })).toBe("json");
  expect(controlOf({ type: ["number", "string"] })).toBe("text");
});

it("the bounds that Zod adds to every integer are none", () => {
  const { properties } = parameterSchemas(z.strictObject({ count: z.int(), from: z.int().min(1) }));
  expect(boundsOf(properties.count ?? {})).toEqual({ min: null, max: null });
  expect(boundsOf(properties.from ?? {})).toEqual({ min: 1, max: null });
});

it("the API documents have neither control nor unit", () => {
  for (const { params } of operations) {
    expect(JSON.stringify(inputSchema(params))).not.toMatch(/"(control|unit)":/);
  }
});

it("quality is an integer from 1 to 100", () => {
  const field = quality(80);
  expect(field.parse(undefined)).toBe(80);
  expect([0, 1, 100, 101, 50.5].map((value) => field.safeParse(value).success)).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});
