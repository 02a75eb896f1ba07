import { expect, it } from "vitest";
import { z } from "zod";
import { inputSchema, reportInput, schemaMessage } from "#lib/api/http/schema-messages.ts";
import { parseParams } from "#lib/api/job-creation/parse-params.ts";
import { time } from "#lib/operations/fields/index.ts";
import { boundsOf, controlOf, parameterSchemas } from "#lib/operations/parameter-schema.ts";
import { previewClip } from "#lib/operations/video/preview-clip/index.ts";

const params = z.strictObject({ start: time("A time."), end: time("A time.").default(2) });

it.each([
  [0, 0],
  [1.25, 1.25],
  [86_400, 86_400],
  ["00:00:00", 0],
  ["01:02:03.5", 3723.5],
  ["1:02:03", 3723],
  ["24:00:00", 86_400],
  ["01:30", 90],
  ["1:30.250", 90.25],
  ["90:00", 5400],
])("%j is %d seconds", (given, seconds) => {
  expect(params.parse({ start: given })).toEqual({ start: seconds, end: 2 });
});

it.each([
  -1,
  86_401,
  "90",
  "1:60",
  "1:60:00",
  "24:00:01",
  "-1:00",
  "1:30s",
  "",
  "1:2:3",
  null,
  true,
])("%j is rejected", (given) => {
  expect(params.safeParse({ start: given }).success).toBe(false);
});

it("messages name the field and both ways to write a time", () => {
  const schema = inputSchema(params);
  const message = (given: object) => {
    const { error } = params.safeParse(given, reportInput);
    return error && schemaMessage(error, schema);
  };
  const forms = "a number from 0 to 86400 or text such as 00:01:30.5.";
  expect(message({})).toBe(`\`start\` is required: ${forms}`);
  expect(message({ start: -1 })).toBe(`\`start\` must be ${forms}`);
  expect(message({ start: "soon" })).toBe(`\`start\` must be ${forms}`);
  expect(message({ start: "25:00:00" })).toBe(`\`start\` must be ${forms}`);
});

it("its schema has both, and the form field shows the bounds of the number", () => {
  const { properties, required } = parameterSchemas(params);
  expect(properties.start).toMatchObject({
    control: "time",
    unit: "s",
    description: "A time.",
    anyOf: [{ type: "number", minimum: 0, maximum: 86_400 }, { type: "string" }],
  });
  expect(controlOf(properties.start ?? {})).toBe("time");
  expect(boundsOf(properties.end ?? {})).toEqual({ min: 0, max: 86_400 });
  expect(properties.end).toMatchObject({ default: 2, control: "time" });
  expect(required).toEqual(["start"]);
});

it.each([
  ["1.5", 1.5],
  ["1:30", 90],
])("a form may send %s", (text, seconds) => {
  const { start } = parseParams(previewClip, { start: text, duration: "3" }, "multipart");
  expect(start).toBe(seconds);
});
