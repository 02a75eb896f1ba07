import { expect, it } from "vitest";
import { countUnknownKey } from "#lib/auth/access/unknown-keys.ts";

const start = Date.UTC(2026, 0, 1);

it("allows 60 unknown keys of a network at once, then one per second", () => {
  for (let count = 0; count < 60; count++) expect(countUnknownKey("192.0.2.1", start)).toBe(0);
  expect(countUnknownKey("192.0.2.1", start)).toBe(1);
  expect(countUnknownKey("192.0.2.2", start)).toBe(0);
  expect(countUnknownKey("192.0.2.1", start + 1000)).toBe(0);
  expect(countUnknownKey("192.0.2.1", start + 1000)).toBe(1);
  expect(countUnknownKey("192.0.2.1", start + 61_000)).toBe(0);
});

it("counts the addresses of one IPv6 network together", () => {
  for (let count = 0; count < 60; count++) countUnknownKey(`2001:db8:1:2::${count}`, start);
  expect(countUnknownKey("2001:db8:1:2:ffff::1", start)).toBe(1);
  expect(countUnknownKey("2001:db8:1:3::1", start)).toBe(0);
});
