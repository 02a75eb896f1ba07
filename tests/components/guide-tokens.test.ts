import { expect, it } from "vitest";
import { readTokens } from "#components/docs/guide-tokens.ts";
import { readGuide } from "#components/docs/guides.ts";
import { readHeadings } from "#components/docs/headings.ts";

it("a guide is parsed once for all requests", () => {
  const read = () => {
    const guide = readGuide("jobs");
    return guide ? readTokens(guide) : [];
  };
  const tokens = read();
  expect(read()).toBe(tokens);
  const headings = readHeadings(tokens);
  expect(headings.length).toBeGreaterThan(2);
  expect(headings.every(({ id, text }) => id !== "" && text !== "")).toBe(true);
});
