import { expect, it } from "vitest";
import { generateApiKey, hideApiKeys, isWellFormedKey } from "#lib/auth/api-keys.ts";

it.each([
  ["production", /^mm_live_[0-9A-Za-z]{36}$/],
  ["development", /^mm_test_[0-9A-Za-z]{36}$/],
] as const)("a key for %s has its prefix, and a checksum over all of it", (environment, form) => {
  const key = generateApiKey(environment);
  expect(key).toMatch(form);
  expect(isWellFormedKey(key)).toBe(true);
  const other = key.startsWith("mm_live_") ? "mm_test_" : "mm_live_";
  expect(isWellFormedKey(other + key.slice(8))).toBe(false);
  expect(isWellFormedKey(key.replace("mm_", "mm-"))).toBe(false);
  expect(hideApiKeys(`a ${key}, b`)).toBe(`a ${key.slice(0, 8)}***, b`);
});
