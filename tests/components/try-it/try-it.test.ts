import { describe, expect, it } from "vitest";
import { createTypeCheck, isKnownType } from "#components/playground/form/check-type.ts";
import { plainMessage } from "#components/playground/form/plain-message.ts";
import type { Source } from "#components/playground/form/source.ts";
import { presetProblem } from "#components/try-it/preset-fields.tsx";
import { hrefWithParams, offeredPresets, paramsWith } from "#components/try-it/preset-values.ts";
import { describedPresets } from "#components/try-it/presets.ts";

const presets = describedPresets.map((one) => ({ ...one, formHref: "" }));
const takes = createTypeCheck([{ files: presets }]);
const fileOf = (name: string): Source => ({ kind: "file", file: new File(["x"], name) });
const find = (operation: string) => {
  const found = presets.find((one) => one.operation === operation);
  if (!found) throw new Error(`there is no ${operation}`);
  return found;
};

describe("presets of the home page", () => {
  it("have one or two own values, which are allowed as they are", () => {
    for (const { operation, fields, params } of presets) {
      expect(fields.length, operation).toBeLessThanOrEqual(2);
      for (const field of fields) {
        const value = String(params[field.name] ?? "");
        expect(presetProblem(field, value), `${operation} ${field.name}`).toBeUndefined();
      }
    }
    expect(presets.filter(({ fields }) => fields.length > 0).length).toBeGreaterThan(15);
  });

  it.each(["photo.jpg", "video.mp4", "song.mp3", "report.docx", "page.html", "notes.md", "a.xyz"])(
    "are offered for %s without doubles",
    (name) => {
      const source = fileOf(name);
      const offered = offeredPresets(presets, source, takes, !isKnownType(presets, source));
      const labels = offered.map(({ label }) => label);
      expect(labels.length).toBeGreaterThan(0);
      expect(new Set(labels).size).toBe(labels.length);
      if (name === "a.xyz") expect(labels).toEqual(["Inspect"]);
    },
  );

  it("send own values with their types, and name what is not allowed", () => {
    const resize = find("image/resize");
    expect(paramsWith(resize, { width: "300" })).toEqual({ width: 300 });
    expect(paramsWith(resize, { width: "wide" })).toEqual({ width: "wide" });
    const [width] = resize.fields;
    if (!width) throw new Error("no width");
    expect(presetProblem(width, "99999")).toMatch(/^Width must be a whole number/);
    expect(presetProblem(width, " ")).toBeDefined();
  });

  it("are filled in on the way to the playground, also through the page for signing up", () => {
    const path = "/dashboard/playground?operation=image/resize";
    const resize = { ...find("image/resize"), formHref: path, params: { width: 300 } };
    const operations = [{ type: "image/resize", params: { width: 300 } }];
    const read = (href: string) => {
      const { searchParams } = new URL(href, "http://host");
      expect(searchParams.get("operation")).toBe("image/resize");
      return JSON.parse(searchParams.get("operations") ?? "");
    };
    expect(read(hrefWithParams(resize))).toEqual(operations);
    const formHref = `/sign-up?next=${encodeURIComponent(path)}`;
    const href = hrefWithParams({ ...resize, formHref });
    expect(read(new URL(href, "http://host").searchParams.get("next") ?? "")).toEqual(operations);
  });
});

it.each([
  [
    "`file` must be JPEG, PNG or WebP. The file is plain text.",
    "fake.jpg is a text file, not an image.",
  ],
  ["`file` must be MP4 or WebM. The file is PDF.", "fake.jpg is a PDF, not a video."],
  [
    "`file` must be CSV. The file is of an unknown type.",
    "fake.jpg is a file of an unknown type. Choose CSV.",
  ],
  ["`font_size` must be 8 or more.", "Font size must be 8 or more."],
  ["`bookmarks[0].page` must be 1 or more.", "Bookmarks, entry 1, page must be 1 or more."],
  ["The file is empty.", "The file is empty."],
])("%s", (message, plain) => {
  expect(plainMessage(message, "fake.jpg")).toBe(plain);
});
