import { describe, expect, it } from "vitest";
import { catalogueEntries } from "#components/catalogue/entries.ts";
import { createOperationSearch } from "#components/catalogue/search.ts";
import { synonyms } from "#components/catalogue/synonyms.ts";

const entries = catalogueEntries();
const search = createOperationSearch(entries);
const find = (query: string) => search(query).map(({ operation }) => operation.id);

describe("an operation is found", () => {
  it.each([
    ["its ID", "audio/normalize", "audio/normalize"],
    ["its title", "Crop image", "image/crop"],
    ["the start of a word", "water", "image/watermark-text"],
    ["a word with a typo", "watermrak", "image/watermark-text"],
    ["words of its summary", "frame rate", "video/framerate"],
    ["a question", "how to cut a video", "video/trim"],
    ["a word that people use: exif", "exif", "pipeline/strip-metadata"],
    ["a word that people use: heic", "heic", "image/convert"],
    ["a word that people use: shrink", "shrink", "image/compress"],
    ["a word that people use: louder", "louder", "audio/volume"],
    ["a word that people use: mirror", "mirror", "image/flip"],
    ["a word that people use: word", "word", "document/doc-to-pdf"],
    ["an animation's format", "gif", "video/gif"],
    ["a format that it writes", "flac", "audio/convert"],
  ])("by %s", (_name, query, id) => {
    expect(find(query).slice(0, 4)).toContain(id);
  });

  it.each(entries.map(({ id, title }) => [id, title]))(
    "%s is first by its ID, and by its title",
    (id, title) => {
      expect(find(id)[0]).toBe(id);
      expect(find(title).slice(0, 3)).toContain(id);
    },
  );
});

it("every word of a query must match", () => {
  expect(find("crop video")).not.toContain("image/sharpen");
  expect(find("sharpen spreadsheet")).toEqual([]);
});

it("an empty query finds all, in their order", () => {
  expect(find(" ")).toEqual(entries.map(({ id }) => id));
});

it("words that people use are written in lower case", () => {
  expect(Object.keys(synonyms).filter((word) => word !== word.toLowerCase())).toEqual([]);
});
