import { describe, expect, it } from "vitest";
import { formatAgo, formatBytes, formatDuration } from "#components/format.ts";

describe("formatBytes", () => {
  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1000, "1 kB"],
    [1234, "1.23 kB"],
    [999_499, "999 kB"],
    [999_500, "1 MB"],
    [999_999_999, "1 GB"],
    [1e13, "10 TB"],
    [2.5e15, "2.5 PB"],
    [4e18, "4000 PB"],
  ])("%d is %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe("formatDuration", () => {
  it.each([
    [0, "0 ms"],
    [999.4, "999 ms"],
    [999.9, "1.0 s"],
    [59_949, "59.9 s"],
    [59_960, "1 min 0 s"],
    [125_000, "2 min 5 s"],
    [3_720_000, "1 h 2 min"],
  ])("%d ms are %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe("formatAgo", () => {
  const now = new Date("2026-11-29T12:00:00Z");

  it.each([
    [30, "30 days ago"],
    [31, "last month"],
    [300, "9 months ago"],
    [361, "11 months ago"],
    [364, "11 months ago"],
    [366, "last year"],
    [800, "2 years ago"],
  ])("%d days before now is %s", (days, text) => {
    expect(formatAgo(new Date(now.getTime() - days * 86_400_000), now)).toBe(text);
  });
});
