import { describe, expect, it } from "vitest";
import { describeOperation } from "#components/playground/describe-operation.ts";
import { assignFormError } from "#components/playground/form/form-error.ts";
import type { FormField } from "#components/playground/form/form-field.ts";
import { formatSeconds, parseSeconds, stepOf } from "#components/playground/form/number-text.ts";
import {
  carryValues,
  initialValues,
  jsonValues,
  sentValues,
  valuesOfParams,
} from "#components/playground/form/values.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";

function formOf(id: string) {
  const operation = findOperation(id);
  if (!operation) throw new Error(`there is no operation ${id}`);
  return describeOperation(operation);
}

const watermark = formOf("image/watermark-text");
const overlay = formOf("video/overlay-text");
const videoWatermark = formOf("pipeline/video-watermark");

describe("a form", () => {
  it("sends what differs from the defaults, and what is required", () => {
    const values = { ...initialValues(watermark), text: "hi", opacity: "0.5", font_size: "40" };
    expect(sentValues(watermark.fields, values)).toEqual([
      ["text", "hi"],
      ["font_size", "40"],
    ]);
  });

  it("begins with the example for required fields", () => {
    expect(initialValues(watermark)).toMatchObject({
      text: "© Example",
      opacity: "0.5",
      font_size: "",
    });
  });

  it("writes numbers, booleans and text as JSON", () => {
    const { fields } = formOf("document/html-to-pdf");
    const values = { scale: "1.5", landscape: "true", print_background: "true", margin: "2" };
    expect(jsonValues(fields, values)).toEqual({ scale: 1.5, landscape: true, margin: "2" });
  });

  it("writes a choice as JSON with the type of its option", () => {
    const field = (name: string, options: (string | number)[]): FormField => ({
      name,
      description: "",
      required: true,
      initial: null,
      secret: false,
      rule: {},
      allowed: "",
      control: { kind: "choice", options },
    });
    const fields = [field("angle", [90, 180]), field("level", ["1", "2"]), field("other", [1])];
    const values = { angle: "180", level: "2", other: "7" };
    expect(jsonValues(fields, values)).toEqual({ angle: 180, level: "2", other: "7" });
  });

  it("writes one region as text and several as a list", () => {
    const { fields } = formOf("image/pixelate");
    expect(jsonValues(fields, { region: "1,2,3,4" })).toEqual({ region: "1,2,3,4" });
    const region = ["1,2,3,4", "5,6,7,8"];
    expect(jsonValues(fields, { region: JSON.stringify(region) })).toEqual({ region });
    expect(valuesOfParams(formOf("image/pixelate"), { region })).toMatchObject({
      region: JSON.stringify(region),
    });
  });

  it("keeps the values of fields that the next operation has too", () => {
    const before = { ...initialValues(watermark), text: "kept", color: "#123456", opacity: "0.1" };
    const after = carryValues(before, watermark, overlay);
    expect(after).toMatchObject({ text: "kept", color: "#123456", x: "10" });
    expect(after).not.toHaveProperty("opacity");
  });

  it("shows the parameters of a job", () => {
    const params = { text: "a", position: "top", opacity: 0.25, color: "#ffffff" };
    expect(valuesOfParams(watermark, params)).toMatchObject({
      text: "a",
      position: "top",
      opacity: "0.25",
      color: "#ffffff",
      font_size: "",
    });
  });
});

describe("an error message is shown", () => {
  it.each([
    ["`opacity` must be a number from 0 to 1.", "invalid_parameter", "opacity"],
    ["`input` must be a complete http or https URL.", "invalid_parameter", "file"],
    ["The file is PDF, but this operation accepts only MP4.", "invalid_input", "file"],
    ["The file is larger than your plan's maximum of 100 MB.", "too_large", "file"],
    ["There is no input. Send `file`, or `input` with its URL.", "invalid_input", "file"],
    ["`watermark_url` is required: the URL of the file.", "invalid_input", "watermark"],
    ["The watermark is PDF, but it must be JPEG or PNG.", "invalid_input", "watermark"],
    ["Your plan's monthly usage limit is reached.", "usage_limit_reached", "form"],
    ["The service is briefly unavailable.", "unavailable", "form"],
    ["The connection broke off.", null, "form"],
  ])("at the field that it names: %s", (message, code, field) => {
    const isPlanLimit = code === "usage_limit_reached";
    expect(assignFormError(videoWatermark, message, code)).toEqual({
      field,
      message,
      ...(isPlanLimit && { isPlanLimit }),
    });
  });
});

describe("a time", () => {
  it.each([
    ["0:05", 5],
    ["1:30", 90],
    ["0:02.5", 2.5],
    ["1:01:05", 3665],
  ])("%s is %d seconds", (text, seconds) => {
    expect(parseSeconds(text)).toBe(seconds);
    expect(formatSeconds(seconds)).toBe(text);
  });

  it("is a number of seconds too, and no other text", () => {
    expect(parseSeconds("90.5")).toBe(90.5);
    expect(parseSeconds("a minute")).toBeUndefined();
  });
});

it("a slider has round steps", () => {
  const number = { kind: "slider", integer: false, unit: null } as const;
  expect(stepOf({ ...number, min: 0, max: 1 })).toBe(0.01);
  expect(stepOf({ ...number, min: 0.1, max: 10 })).toBe(0.1);
  expect(stepOf({ ...number, min: 4, max: 1000 })).toBe(1);
  expect(stepOf({ ...number, min: 1, max: 60, integer: true })).toBe(1);
});
