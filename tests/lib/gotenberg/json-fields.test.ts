import { describe, expect, it } from "vitest";
import { GotenbergError } from "#lib/gotenberg/base/errors.ts";
import { routes } from "#lib/gotenberg/plan/routes.ts";
import { makeForm } from "./make-form.ts";

const html = "forms/chromium/convert/html";
const merge = "forms/pdfengines/merge";
const writeBookmarks = "forms/pdfengines/bookmarks/write";
const writeMetadata = "forms/pdfengines/metadata/write";

function planFor(path: string, fields: Readonly<Record<string, string>>) {
  const form = makeForm(fields, { files: ["index.html", "a.pdf"] });
  return routes.get(path)?.plan({ form, texts: new Map(), runsScripts: true });
}

function invalid(problem: string): GotenbergError {
  return new GotenbergError(400, `Invalid form data: form field ${problem}`);
}

/** The errors that Gotenberg's types have for each text in Go 1.26. */
const faults: readonly (readonly [string, string, string])[] = [
  [
    "cookies",
    '[{"name":"a",}]',
    "invalid character '}' looking for beginning of object key string",
  ],
  ["cookies", "{bad", "invalid character 'b' looking for beginning of object key string"],
  ["extraHttpHeaders", '{"a" "b"}', "invalid character '\"' after object key"],
  ["extraHttpHeaders", '{"a":1}', "json: cannot unmarshal number into Go value of type string"],
  [
    "emulatedMediaFeatures",
    "[]",
    "json: cannot unmarshal array into Go value of type map[string]string",
  ],
  ["failOnHttpStatusCodes", '["x"]', "json: cannot unmarshal string into Go value of type int64"],
  ["failOnHttpStatusCodes", "[499", "unexpected end of JSON input"],
  [
    "failOnResourceHttpStatusCodes",
    "{}",
    "json: cannot unmarshal object into Go value of type []int64",
  ],
  [
    "ignoreResourceHttpStatusDomains",
    "[1]",
    "json: cannot unmarshal number into Go value of type string",
  ],
  ["metadata", "[1]", "json: cannot unmarshal array into Go value of type map[string]interface {}"],
  ["metadata", '{"a":1}}', "invalid character '}' after top-level value"],
  ["cookies", "{}", "json: cannot unmarshal object into Go value of type []chromium.Cookie"],
  ["cookies", "[1]", "json: cannot unmarshal number into Go value of type chromium.Cookie"],
  ["cookies", '["a"]', "json: cannot unmarshal string into Go value of type chromium.Cookie"],
  [
    "cookies",
    '[{"name":1}]',
    "json: cannot unmarshal number into Go struct field Cookie.name of type string",
  ],
  [
    "cookies",
    '[{"Name":1}]',
    "json: cannot unmarshal number into Go struct field Cookie.name of type string",
  ],
  [
    "cookies",
    '[{"name":"a","secure":"yes"}]',
    "json: cannot unmarshal string into Go struct field Cookie.secure of type bool",
  ],
  [
    "cookies",
    '[{"secure":1}]',
    "json: cannot unmarshal number into Go struct field Cookie.secure of type bool",
  ],
  [
    "cookies",
    '[{"httpOnly":[]}]',
    "json: cannot unmarshal array into Go struct field Cookie.httpOnly of type bool",
  ],
  ["cookies", '[{"sameSite":"foo"}]', "unknown CookieSameSite value: foo"],
  ["cookies", '[{"sameSite":null}]', "unknown CookieSameSite value: null"],
  ["cookies", '[{"sameSite":1}]', "unknown CookieSameSite value: 1"],
  ["cookies", '[{"sameSite":""}]', "unknown CookieSameSite value: "],
  ["cookies", '[{"name":1,"sameSite":"foo"}]', "unknown CookieSameSite value: foo"],
  ["cookies", "[[]]", "json: cannot unmarshal array into Go value of type chromium.Cookie"],
  [
    "cookies",
    '[{"path":{}}]',
    "json: cannot unmarshal object into Go struct field Cookie.path of type string",
  ],
  ["cookies", '[{"sameSite":true}]', "unknown CookieSameSite value: true"],
  [
    "bookmarks",
    '[{"title":"A","page":"x"}]',
    "json: cannot unmarshal array into Go value of type map[string][]gotenberg.Bookmark",
  ],
  [
    "bookmarks",
    '{"a":[{"page":"x"}]}',
    "json: cannot unmarshal string into Go struct field Bookmark.page of type int",
  ],
  [
    "bookmarks",
    '{"a":[{"page":1.5}]}',
    "json: cannot unmarshal number 1.5 into Go struct field Bookmark.page of type int",
  ],
  [
    "bookmarks",
    '{"a":[{"children":[{"page":"x"}]}]}',
    "json: cannot unmarshal string into Go struct field Bookmark.children.page of type int",
  ],
  [
    "bookmarks",
    '{"a":[{"children":[{"children":[{"title":1}]}]}]}',
    "json: cannot unmarshal number into Go struct field Bookmark.children.children.title of type string",
  ],
  [
    "bookmarks",
    '{"a":{}}',
    "json: cannot unmarshal object into Go value of type []gotenberg.Bookmark",
  ],
  [
    "bookmarks",
    '{"a":1}',
    "json: cannot unmarshal number into Go value of type []gotenberg.Bookmark",
  ],
  [
    "bookmarks",
    '"a"',
    "json: cannot unmarshal string into Go value of type map[string][]gotenberg.Bookmark",
  ],
  [
    "bookmarks",
    "[1]",
    "json: cannot unmarshal array into Go value of type map[string][]gotenberg.Bookmark",
  ],
  [
    "bookmarks",
    '{"a":[1]}',
    "json: cannot unmarshal number into Go value of type gotenberg.Bookmark",
  ],
  [
    "bookmarks",
    '{"a":[{"children":"x"}]}',
    "json: cannot unmarshal string into Go struct field Bookmark.children of type []gotenberg.Bookmark",
  ],
  ["bookmarks", "{bad", "invalid character 'b' looking for beginning of object key string"],
  [
    "bookmarks",
    '{"a":[{"children":[5]}]}',
    "json: cannot unmarshal number into Go struct field Bookmark.children of type gotenberg.Bookmark",
  ],
];

describe("the fault of a field is that of Gotenberg", () => {
  it.each(faults)("%s=%s", (name, text, fault) => {
    const path = name === "bookmarks" ? writeBookmarks : html;
    const expected = invalid(
      `'${name}' is invalid (got '${text}', resulting to unmarshal ${name}: ${fault})`,
    );
    expect(() => planFor(path, { [name]: text })).toThrow(expected);
  });

  it.each([
    ['{"a":1}', "json: cannot unmarshal number into Go value of type map[string]string"],
    ['{"a":{"mimeType":1}}', "json: cannot unmarshal number into Go value of type string"],
    ["[]", "json: cannot unmarshal array into Go value of type map[string]map[string]string"],
    ["{bad", "invalid character 'b' looking for beginning of object key string"],
    ['{"a":"b"}', "json: cannot unmarshal string into Go value of type map[string]string"],
  ])("embedsMetadata=%s", (text, fault) => {
    const expected = invalid(`'embedsMetadata' is invalid: ${fault}`);
    expect(() => planFor(merge, { embedsMetadata: text })).toThrow(expected);
  });

  it("embedsMetadata is not read after another fault", () => {
    const fields = { embedsMetadata: "{bad", metadata: "{" };
    const expected = invalid(
      "'metadata' is invalid (got '{', resulting to unmarshal metadata: unexpected end of JSON input)",
    );
    expect(() => planFor(merge, fields)).toThrow(expected);
  });

  it.each(["{bad", '{"opacity":0.5}', "[]"])("stampOptions=%s", (text) => {
    const fields = { stampSource: "text", stampExpression: "A", stampOptions: text };
    expect(() => planFor("forms/pdfengines/stamp", fields)).toThrow(
      invalid("'stampOptions' is invalid"),
    );
  });
});

describe("null is an empty value", () => {
  it.each([
    "cookies",
    "extraHttpHeaders",
    "emulatedMediaFeatures",
    "failOnHttpStatusCodes",
    "failOnResourceHttpStatusCodes",
    "ignoreResourceHttpStatusDomains",
    "metadata",
    "embedsMetadata",
  ])("%s", (name) => {
    const steps = planFor(html, {})?.steps;
    expect(planFor(html, { [name]: "null" })?.steps).toEqual(steps);
  });

  it.each([
    [writeMetadata, "metadata"],
    [writeBookmarks, "bookmarks"],
  ])("%s: %s, which is there", (path, name) => {
    expect(planFor(path, { [name]: "null" })).toMatchObject({ steps: [] });
    expect(() => planFor(path, {})).toThrow(invalid(`'${name}' is required`));
  });

  it("an entry without values has none of them set", () => {
    const cookies = "[null]";
    expect(() => planFor(html, { cookies })).toThrow(
      invalid(
        "'cookies' is invalid (got '[null]', resulting to cookie 0 must have its name, value and domain set)",
      ),
    );
    const stamp = { stampSource: "text", stampExpression: "A", stampOptions: "null" };
    expect(planFor("forms/pdfengines/stamp", stamp)?.steps).toHaveLength(1);
  });
});

it("names in a cookie are read in any case", () => {
  const cookies =
    '[{"Name":"a","VALUE":"b","domain":"example.com","samesite":"lax","secure":true}]';
  expect(planFor(html, { cookies })?.steps[0]?.params).toMatchObject({
    cookies: [{ name: "a", value: "b", domain: "example.com", secure: true }],
  });
});
