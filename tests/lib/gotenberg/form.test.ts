import { describe, expect, it } from "vitest";
import { GotenbergError } from "#lib/gotenberg/base/errors.ts";
import { parseByteCount, parseDuration } from "#lib/gotenberg/base/go-values.ts";
import type { Form } from "#lib/gotenberg/form/form.ts";
import { sortNames } from "#lib/gotenberg/form/sort-names.ts";
import { makeForm } from "./make-form.ts";

function faultOf(read: (form: Form) => unknown, fields: Record<string, string>): string {
  const form = makeForm(fields);
  read(form);
  try {
    form.validate();
  } catch (error) {
    if (error instanceof GotenbergError) return error.message;
    throw error;
  }
  return "";
}

describe("values", () => {
  it.each([
    ["2.5s", 2500],
    ["1m30s", 90_000],
    ["500ms", 500],
    ["0", 0],
  ])("the duration %s", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(["", "5", "5 parsecs", "s"])("rejects the duration %j", (text) => {
    expect(() => parseDuration(text)).toThrow("time: ");
  });

  it.each([
    ["5MB", 5_000_000],
    ["1GiB", 2 ** 30],
    ["100", 100],
  ])("the size %s", (text, bytes) => {
    expect(parseByteCount(text)).toBe(bytes);
  });
});

it("collects the faults of all fields, one a line", () => {
  const read = (form: Form) => {
    form.bool("landscape", false);
    form.integer("width", 1);
    form.require("url");
    form.requireFiles([".pdf"]);
  };
  expect(faultOf(read, { landscape: "foo", width: "1.5" })).toBe(
    `Invalid form data: form field 'landscape' is invalid (got 'foo', resulting to strconv.ParseBool: parsing "foo": invalid syntax)
form field 'width' is invalid (got '1.5', resulting to strconv.Atoi: parsing "1.5": invalid syntax)
form field 'url' is required
no form file found for extensions: [.pdf]`,
  );
});

it("an empty field has its default, and lengths may have units", () => {
  const form = makeForm({ empty: "", width: "2.54cm", height: "72pt", plain: "8.5" });
  expect(form.bool("empty", true)).toBe(true);
  expect(form.inches("width", 0)).toBeCloseTo(1);
  expect(form.inches("height", 0)).toBeCloseTo(1);
  expect(form.inches("plain", 0)).toBe(8.5);
  form.validate();
});

it("files are found by name, with an extension in capital letters too, and sorted", () => {
  const names = ["b_10.pdf", "b_2.pdf", "A.PDF", "note.txt"];
  const form = makeForm({}, { files: names, embeds: ["attached.pdf"] });
  const found = form.requireFiles([".pdf"]).map(({ filename }) => filename);
  expect(found).toEqual(["A.PDF", "b_2.pdf", "b_10.pdf"]);
  expect(form.file("A.pdf")?.filename).toBe("A.PDF");
  expect([...form.assets().keys()]).not.toContain("attached.pdf");
});

it("a file that is used in another way replaces none with the same name", () => {
  const names = { stamp: ["logo.png", "logo.png"], files: ["index.html", "logo.png"] };
  const form = makeForm({}, { ...names, watermark: ["logo.png"] });
  expect([...form.assets().keys()]).toEqual(["index.html", "logo.png"]);
  expect(form.filesOf("stamp")).toHaveLength(2);
  expect(form.filesOf("watermark")).toHaveLength(1);
});

it("sorts by the number at the start or the end", () => {
  expect(sortNames(["10_a.pdf", "2_b.pdf", "1_c.pdf"])).toEqual(["1_c.pdf", "2_b.pdf", "10_a.pdf"]);
  expect(sortNames(["b", "a10", "a9"])).toEqual(["a9", "a10", "b"]);
});
