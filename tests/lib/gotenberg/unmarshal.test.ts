import { expect, it } from "vitest";
import {
  any,
  type GoType,
  int64,
  mapOf,
  sliceOf,
  string,
  unmarshal,
} from "#lib/gotenberg/base/unmarshal.ts";

/** The errors of `json.Unmarshal` of Go 1.26, as it printed them. */
const faults: readonly (readonly [GoType<unknown>, string, string])[] = [
  [sliceOf(int64), '["x"]', "json: cannot unmarshal string into Go value of type int64"],
  [sliceOf(int64), "[true]", "json: cannot unmarshal bool into Go value of type int64"],
  [sliceOf(int64), "[1.5]", "json: cannot unmarshal number 1.5 into Go value of type int64"],
  [sliceOf(int64), "[1e2]", "json: cannot unmarshal number 1e2 into Go value of type int64"],
  [sliceOf(int64), "{}", "json: cannot unmarshal object into Go value of type []int64"],
  [sliceOf(int64), '"a"', "json: cannot unmarshal string into Go value of type []int64"],
  [sliceOf(int64), "5", "json: cannot unmarshal number into Go value of type []int64"],
  [sliceOf(int64), "5.5", "json: cannot unmarshal number into Go value of type []int64"],
  [sliceOf(int64), "true", "json: cannot unmarshal bool into Go value of type []int64"],
  [sliceOf(int64), "[[1]]", "json: cannot unmarshal array into Go value of type int64"],
  [sliceOf(int64), "[{}]", "json: cannot unmarshal object into Go value of type int64"],
  [
    sliceOf(int64),
    "[99999999999999999999]",
    "json: cannot unmarshal number 99999999999999999999 into Go value of type int64",
  ],
  [sliceOf(int64), '["x",true]', "json: cannot unmarshal string into Go value of type int64"],
  [sliceOf(string), "[1]", "json: cannot unmarshal number into Go value of type string"],
  [sliceOf(string), "[1.5]", "json: cannot unmarshal number into Go value of type string"],
  [sliceOf(string), '{"a":1}', "json: cannot unmarshal object into Go value of type []string"],
  [sliceOf(string), '"a"', "json: cannot unmarshal string into Go value of type []string"],
  [sliceOf(string), "[[]]", "json: cannot unmarshal array into Go value of type string"],
  [mapOf(string), '{"a":1}', "json: cannot unmarshal number into Go value of type string"],
  [mapOf(string), '{"a":true}', "json: cannot unmarshal bool into Go value of type string"],
  [mapOf(string), '{"a":[1]}', "json: cannot unmarshal array into Go value of type string"],
  [mapOf(string), '{"a":{}}', "json: cannot unmarshal object into Go value of type string"],
  [mapOf(string), "[]", "json: cannot unmarshal array into Go value of type map[string]string"],
  [mapOf(string), '"a"', "json: cannot unmarshal string into Go value of type map[string]string"],
  [mapOf(string), "1", "json: cannot unmarshal number into Go value of type map[string]string"],
  [mapOf(string), "false", "json: cannot unmarshal bool into Go value of type map[string]string"],
  [mapOf(any), "[1]", "json: cannot unmarshal array into Go value of type map[string]interface {}"],
  [
    mapOf(any),
    '"a"',
    "json: cannot unmarshal string into Go value of type map[string]interface {}",
  ],
  [mapOf(any), "1", "json: cannot unmarshal number into Go value of type map[string]interface {}"],
  [mapOf(any), "true", "json: cannot unmarshal bool into Go value of type map[string]interface {}"],
  [mapOf(any), '{"a":1e400}', "json: cannot unmarshal number 1e400 into Go value of type float64"],
  [
    mapOf(any),
    "1e400",
    "json: cannot unmarshal number into Go value of type map[string]interface {}",
  ],
];

it.each(faults)("%o does not accept %s", (type, text, fault) => {
  expect(() => unmarshal(text, type)).toThrow(new Error(fault));
});

it.each<[GoType<unknown>, string, unknown]>([
  [sliceOf(int64), "null", []],
  [sliceOf(int64), "[null, 1, -0]", [0, 1, -0]],
  [sliceOf(string), "[null]", [""]],
  [mapOf(string), "null", {}],
  [mapOf(string), '{"a":null}', { a: "" }],
  [mapOf(mapOf(string)), '{"a":null}', { a: {} }],
  [
    mapOf(any),
    '{"a":[1,{"b":null,"c":1.5e1}],"d":"e","f":true}',
    { a: [1, { b: null, c: 15 }], d: "e", f: true },
  ],
])("%o accepts %s", (type, text, value) => {
  expect(unmarshal(text, type)).toEqual(value);
});

it("a depth of 1000 is read", () => {
  const text = `{"a":${"[".repeat(999)}1${"]".repeat(999)}}`;
  expect(Object.keys(unmarshal(text, mapOf(any)))).toEqual(["a"]);
});

it("more than 20,000 values are not read", () => {
  const list = (count: number) => `[${Array(count).fill(1).join()}]`;
  expect(unmarshal(list(19_999), sliceOf(int64))).toHaveLength(19_999);
  const fault = new Error("more than 20,000 values");
  expect(() => unmarshal(list(20_000), sliceOf(int64))).toThrow(fault);
});
