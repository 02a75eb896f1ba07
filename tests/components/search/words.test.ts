import { expect, it } from "vitest";
import { nameKey, queryWords, splitWords, stemOf } from "#components/search/words.ts";

it("words of one stem are equal, others are not", () => {
  for (const words of [
    ["resize", "resizes", "resizing", "resized"],
    ["crop", "crops", "cropping", "cropped"],
    ["compress", "compresses", "compression"],
    ["retry", "retries"],
    ["image", "images"],
  ]) {
    expect(new Set(words.map(stemOf)).size, words.join()).toBe(1);
  }
  expect(stemOf("status")).not.toBe(stemOf("state"));
  expect(stemOf("string")).toBe("string");
});

it("names with underscores are one word and their parts; in a query, one word", () => {
  expect(splitWords("Set `max_bytes`, ÉTÉ; h.264")).toEqual([
    "set",
    "max_bytes",
    "max",
    "bytes",
    "ete",
    "h264",
  ]);
  expect(queryWords("max_bytes")).toEqual([{ text: "max_bytes", isRequired: true }]);
  expect(queryWords("how to").map(({ text }) => text)).toEqual(["how", "to"]);
});

it("names are equal in other forms of their words", () => {
  expect(nameKey("resizing images")).toBe(nameKey("Resize image"));
  expect(nameKey("pdf/a")).toBe(nameKey("pdf-a"));
  expect(nameKey("pdf")).not.toBe(nameKey("pdf-a"));
});
