import { describe, expect, it } from "vitest";
import type { FormField } from "#components/playground/form/form-field.ts";
import {
  boxAfterKey,
  boxBetween,
  dragBox,
  formatBox,
  type Grip,
  middleBox,
  parseBoxes,
} from "#components/playground/pick/box.ts";
import { hasCropBox } from "#components/playground/pick/crop-fields.ts";
import {
  findTimeFields,
  isTimeInInput,
  readRange,
  writeRange,
} from "#components/playground/pick/time-range.ts";

const size = { width: 400, height: 200 };
const box = { left: 100, top: 50, width: 80, height: 40 };

const bare = {
  description: "",
  required: false,
  initial: null,
  secret: false,
  rule: {},
  allowed: "",
};
const time = (name: string, initial: string | null = null): FormField => ({
  ...bare,
  name,
  initial,
  control: { kind: "time", min: 0, max: 86_400, integer: false, unit: "s" },
});
const number = (name: string, unit: "s" | "px"): FormField => ({
  ...bare,
  name,
  control: { kind: "number", min: 0, max: 100, integer: false, unit },
});

describe("a box", () => {
  it.each<[Grip, number, number, string]>([
    ["move", 10.4, -20, "110,30,80,40"],
    ["move", 1000, 1000, "320,160,80,40"],
    ["move", -1000, -1000, "0,0,80,40"],
    ["se", 20, 10, "100,50,100,50"],
    ["nw", -10, -5, "90,45,90,45"],
    ["e", 1000, 1000, "100,50,300,40"],
    ["s", 1000, 1000, "100,50,80,150"],
    ["n", 1000, 1000, "100,90,80,110"],
    ["w", 80, 0, "180,50,1,40"],
    ["ne", -200, 0, "0,50,100,40"],
  ])("dragged at %s by %d, %d", (grip, x, y, expected) => {
    expect(formatBox(dragBox(box, grip, { x, y }, size))).toBe(expected);
  });

  it.each([
    ["from any corner", { x: 50, y: 60 }, { x: 10.2, y: 20.6 }, "10,21,40,39"],
    ["past the edges", { x: -5, y: -5 }, { x: 900, y: 900 }, "0,0,400,200"],
    ["outside", { x: 900, y: 900 }, { x: 950, y: 950 }, "399,199,1,1"],
  ])("is drawn %s", (_name, one, other, expected) => {
    expect(formatBox(boxBetween(one, other, size))).toBe(expected);
  });

  it.each([
    ["ArrowLeft", false, "96,50,80,40"],
    ["ArrowDown", false, "100,54,80,40"],
    ["ArrowRight", true, "100,50,84,40"],
    ["ArrowUp", true, "100,50,80,36"],
  ])("moves with %s, or its size changes with Shift (%s)", (key, shift, expected) => {
    const moved = boxAfterKey(box, key, shift, size);
    expect(moved && formatBox(moved)).toBe(expected);
  });

  it("does not react to other keys", () => {
    expect(boxAfterKey(box, "Enter", false, size)).toBeUndefined();
  });

  it("fits in the middle of the smallest picture", () => {
    expect(middleBox({ width: 1, height: 1 })).toEqual({ left: 0, top: 0, width: 1, height: 1 });
    expect(formatBox(middleBox(size))).toBe("100,50,200,100");
  });

  it.each([
    ["10,20,30,40", ["10,20,30,40"]],
    ['["1, 2,3,4","5,6,7,8"]', ["1,2,3,4", "5,6,7,8"]],
    ["[[1,2,3,4],[5,6,7,8]]", ["1,2,3,4", "5,6,7,8"]],
    ["1,2,3", []],
    ["", []],
  ])("is read from %j", (text, expected) => {
    expect(parseBoxes(text).map(formatBox)).toEqual(expected);
  });
});

it("a crop box needs all four sides as numbers", () => {
  const sides = ["left", "top", "width", "height"].map((name) => number(name, "px"));
  expect(hasCropBox(sides)).toBe(true);
  expect(hasCropBox(sides.slice(1))).toBe(false);
});

describe("times in the input", () => {
  const trim = [time("start", "0"), time("end"), time("duration")];
  const clip = [time("start"), number("duration", "s")];

  it("are found by their names", () => {
    expect(findTimeFields(trim)).toEqual({ start: "start", end: "end", duration: "duration" });
    expect(findTimeFields(clip)).toEqual({ start: "start", end: undefined, duration: "duration" });
    expect(findTimeFields([time("time")])).toMatchObject({ start: "time", end: undefined });
    expect(findTimeFields([time("in"), time("out"), number("duration", "s")])).toBeUndefined();
  });

  it("are no lengths", () => {
    expect([...trim, time("in")].map(isTimeInInput)).toEqual([true, true, false, false]);
  });

  it.each([
    ["without values", trim, {}, { start: 0, end: 60 }],
    ["with an end", trim, { start: "10", end: "20" }, { start: 10, end: 20 }],
    ["as clock times", trim, { start: "0:10", end: "00:00:20.5" }, { start: 10, end: 20.5 }],
    ["with a duration", clip, { start: "10", duration: "5" }, { start: 10, end: 15 }],
    ["past the end of the input", clip, { start: "90", duration: "5" }, { start: 60, end: 60 }],
    ["that is not a time", trim, { start: "soon" }, { start: 0, end: 60 }],
  ])("give a part %s", (_name, fields, values, expected) => {
    const names = findTimeFields(fields);
    expect(names && readRange(names, fields, values, 60)).toEqual(expected);
  });

  it("are written as start and end, or as start and duration", () => {
    const range = { start: 1.23456, end: 4 };
    const trimNames = findTimeFields(trim);
    const clipNames = findTimeFields(clip);
    expect(trimNames && writeRange(trimNames, range)).toEqual({
      start: "1.235",
      end: "4",
      duration: "",
    });
    expect(clipNames && writeRange(clipNames, range)).toEqual({
      start: "1.235",
      duration: "2.765",
    });
  });
});
