import { describe, expect, it } from "vitest";
import { compileScope, findScopeFault } from "#lib/net/url-scopes.ts";

describe("faults", () => {
  it.each([
    ["^https?:\\/\\/([a-zA-Z0-9-]+\\.)*example\\.com:(\\d+)\\/.*", undefined],
    ["[a-z]{2,3}\\.example\\.(com|org){1,2}", undefined],
    ["*.", "missing argument to repetition operator"],
    ["(a", "missing closing )"],
    ["a(?!b)", "invalid or unsupported Perl syntax"],
    ["(a)\\1", "invalid escape sequence"],
    ["a".repeat(1025), "more than 1024 characters"],
    ["[\\x{2F}\\x{007e}]\\pL", undefined],
    ["(?i)[B-\\x{10ffff}]", "characters outside of ASCII"],
    ["(?i)[B-\u{10ffff}]", "characters outside of ASCII"],
    // Compiled, the first has 300,000 instructions.
    [`(?:${"\\pL".repeat(300)}){1000}`, "expression too large"],
    ["(?:(?:a{0,10}){0,10}){0,10}", "expression too large"],
  ])("%s", (expression, fault) => {
    expect(findScopeFault(expression)).toBe(fault);
  });
});

it("an expression matches anywhere in a URL, and in none that is too long", () => {
  const matches = compileScope("b+/$");
  expect(["https://abb/", "https://abb/c"].map(matches)).toEqual([true, false]);
  expect(matches(`https://${"b".repeat(3000)}/`)).toBe(false);
});

it("an expression that takes exponential time elsewhere takes milliseconds", () => {
  const matches = compileScope("^(([a-z])+.)+[A-Z]([a-z])+$");
  const startedAt = performance.now();
  expect(matches("a".repeat(2000))).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(1000);
});
