import { describe, expect, it } from "vitest";
import { correct, editDistance } from "#lib/typos/edit-distance.ts";
import { suggest } from "#lib/typos/suggest.ts";

describe("the edit distance", () => {
  it.each([
    ["merge", "merge", 0],
    ["mrege", "merge", 1],
    ["comprss", "compress", 1],
    ["compresss", "compress", 1],
    ["resise", "resize", 1],
    ["rezise", "resize", 2],
    ["watermakr", "watermark", 1],
    ["ca", "abc", Number.POSITIVE_INFINITY],
    ["exif", "transcode", Number.POSITIVE_INFINITY],
  ])("from %j to %j is %d, up to two", (one, other, distance) => {
    expect(editDistance(one, other, 2)).toBe(distance);
    expect(editDistance(other, one, 2)).toBe(distance);
  });
});

describe("a word is corrected", () => {
  const vocabulary = ["merge", "page", "pdf", "resize", "reset", "webhooks"];

  it.each([
    ["mrege", ["merge"]],
    ["pfd", ["pdf"]],
    ["pdx", []],
    ["rezise", ["resize"]],
    ["wehbokos", ["webhooks"]],
    ["x264", []],
    ["spaghetti", []],
  ])("%j to %j", (word, found) => {
    expect(correct(word, vocabulary)).toEqual(found);
  });
});

describe("a name is suggested", () => {
  const names = [
    "width",
    "height",
    "page_size",
    "page_ranges",
    "target_lufs",
    "h264",
    "h265",
    "text",
  ];

  it.each([
    ["widht", ["width"]],
    ["Page-Size", ["page_size"]],
    ["pageSize", ["page_size"]],
    ["lufs", ["target_lufs"]],
    ["page", ["page_size", "page_ranges"]],
    ["h266", []],
    ["x", []],
    ["", []],
    ["w".repeat(1_000_000), []],
  ])("for %.20j: %j", (given, found) => {
    expect(suggest(given, names)).toEqual(found);
  });
});
