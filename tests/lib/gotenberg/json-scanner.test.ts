import { describe, expect, it } from "vitest";
import { findSyntaxFault } from "#lib/gotenberg/base/json-scanner.ts";

/** The errors of `json.Unmarshal` of Go 1.26, as it printed them. */
const faults: readonly (readonly [string, string | undefined])[] = [
  ["", "unexpected end of JSON input"],
  [" ", "unexpected end of JSON input"],
  ['[{"name":"a",}]', "invalid character '}' looking for beginning of object key string"],
  ["{bad", "invalid character 'b' looking for beginning of object key string"],
  ["{bad}", "invalid character 'b' looking for beginning of object key string"],
  ["foo", "invalid character 'o' in literal false (expecting 'a')"],
  ["t", "invalid character ' ' in literal true (expecting 'r')"],
  ["tru", "invalid character ' ' in literal true (expecting 'e')"],
  ["trux", "invalid character 'x' in literal true (expecting 'e')"],
  ["falze", "invalid character 'z' in literal false (expecting 's')"],
  ["nulL", "invalid character 'L' in literal null (expecting 'l')"],
  ["nul", "invalid character ' ' in literal null (expecting 'l')"],
  ["truex", "invalid character 'x' after top-level value"],
  ["true false", "invalid character 'f' after top-level value"],
  ["<a>", "invalid character '<' looking for beginning of value"],
  ["'a'", "invalid character '\\'' looking for beginning of value"],
  ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
  ["[1,]", "invalid character ']' looking for beginning of value"],
  ["[,1]", "invalid character ',' looking for beginning of value"],
  ["[1 2]", "invalid character '2' after array element"],
  ["[1", "unexpected end of JSON input"],
  ["[", "unexpected end of JSON input"],
  ['["a""b"]', "invalid character '\"' after array element"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":}', "invalid character '}' looking for beginning of value"],
  ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{"a":1', "unexpected end of JSON input"],
  ['{"a":', "unexpected end of JSON input"],
  ['{"a"', "unexpected end of JSON input"],
  ["{,}", "invalid character ',' looking for beginning of object key string"],
  ["{1:2}", "invalid character '1' looking for beginning of object key string"],
  ['{"a":1]', "invalid character ']' after object key:value pair"],
  ["[1}", "invalid character '}' after array element"],
  ["-", "invalid character ' ' in numeric literal"],
  ["-a", "invalid character 'a' in numeric literal"],
  ["01", "invalid character '1' after top-level value"],
  ["1.", "invalid character ' ' after decimal point in numeric literal"],
  ["1.a", "invalid character 'a' after decimal point in numeric literal"],
  ["1e", "invalid character ' ' in exponent of numeric literal"],
  ["1ex", "invalid character 'x' in exponent of numeric literal"],
  ["1e+", "invalid character ' ' in exponent of numeric literal"],
  ["1e+-", "invalid character '-' in exponent of numeric literal"],
  ["+1", "invalid character '+' looking for beginning of value"],
  [".5", "invalid character '.' looking for beginning of value"],
  ["1x", "invalid character 'x' after top-level value"],
  ["-01", "invalid character '1' after top-level value"],
  ["12 34", "invalid character '3' after top-level value"],
  ['"a', "unexpected end of JSON input"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ['"a\tb"', "invalid character '\\t' in string literal"],
  ['"\u0001"', "invalid character '\\x01' in string literal"],
  ['"\u001f"', "invalid character '\\x1f' in string literal"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\\'"', "invalid character '\\'' in string escape code"],
  ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
  ['"\\u"', "invalid character '\"' in \\u hexadecimal character escape"],
  ['"\\', "invalid character ' ' in string escape code"],
  ["{}{}", "invalid character '{' after top-level value"],
  ["[]]", "invalid character ']' after top-level value"],
  ["{}\u0000", "invalid character '\\x00' after top-level value"],
  ["\u00e9", "invalid character '\u00c3' looking for beginning of value"],
  ["[\u20ac]", "invalid character '\u00e2' looking for beginning of value"],
  ['{"a":1\u007f}', "invalid character '\\x7f' after object key:value pair"],
  ["{\u00a0}", "invalid character '\u00c2' looking for beginning of object key string"],
  ["[\u2028]", "invalid character '\u00e2' looking for beginning of value"],
  ["NaN", "invalid character 'N' looking for beginning of value"],
  ["undefined", "invalid character 'u' looking for beginning of value"],
  ['["a"\\]', "invalid character '\\\\' after array element"],
  ["\u000b", "invalid character '\\v' looking for beginning of value"],
  ['"a""', "invalid character '\"' after top-level value"],
  ["//x", "invalid character '/' looking for beginning of value"],
  ['{"a":1}/*x*/', "invalid character '/' after top-level value"],
  ["\ufeff{}", "invalid character '\u00ef' looking for beginning of value"],
  ["\u0007", "invalid character '\\a' looking for beginning of value"],
  ["[\u0085]", "invalid character '\u00c2' looking for beginning of value"],
  ["}", "invalid character '}' looking for beginning of value"],
  ["]", "invalid character ']' looking for beginning of value"],
  [",", "invalid character ',' looking for beginning of value"],
  [":", "invalid character ':' looking for beginning of value"],
  ["1,2", "invalid character ',' after top-level value"],
  ['"a":1', "invalid character ':' after top-level value"],
];

describe("JSON is invalid with the words of Go", () => {
  it.each(faults)("%j: %s", (text, fault) => {
    expect(findSyntaxFault(text)).toBe(fault);
  });

  it.each(["[", '{"a":'])("a depth of 10,001 %s", (open) => {
    const fault = `invalid character '${open.charAt(0)}' exceeded max depth`;
    expect(findSyntaxFault(open.repeat(10_001))).toBe(fault);
  });
});

it.each([
  " {} ",
  "[]",
  "-0.5e+10",
  '"\\u00e9\\n\u2028 \u007f"',
  '[{"a": [true, false, null]}, 0]',
  "\r\n\t[1 , 2]\n",
])("finds no fault in %j", (text) => {
  expect(findSyntaxFault(text)).toBeUndefined();
  expect(() => JSON.parse(text)).not.toThrow();
});
