import { expect, it } from "vitest";
import { projectUsage } from "#lib/quotas/projection.ts";

const gigabyte = 10 ** 9;
const longAgo = new Date("2025-01-01T00:00:00Z");

it.each([
  ["no usage stays no usage", 0, [0, 0, 0], "2026-11-10T12:00:00Z", 0],
  ["steady daily usage continues", 7, [1, 1, 1, 1, 1, 1, 1], "2026-11-23T23:59:59Z", 14],
  ["usage of weeks ago has no influence", 5, [5, 0, 0, 0, 0, 0, 0, 0], "2026-11-20T12:00:00Z", 5],
  ["at the end of the period it is the actual usage", 3, [1, 1, 1], "2026-11-30T23:59:59Z", 3],
])("%s", (_what, used, daily, now, expected) => {
  const projected = projectUsage(
    used * gigabyte,
    daily.map((each) => each * gigabyte),
    longAgo,
    new Date(now),
  );
  expect((projected ?? 0) / gigabyte).toBeCloseTo(expected, 1);
});

it("the days of a new account count from its creation", () => {
  const now = new Date("2026-11-29T00:00:00Z");
  const since = new Date("2026-11-25T00:00:00Z");
  expect(projectUsage(8, [2, 2, 2, 2, 0], since, now)).toBe(8 + 2 * 2);
  // The first job would count for a whole month.
  expect(projectUsage(4, [2, 2, 0], new Date("2026-11-27T00:00:00Z"), now)).toBeUndefined();
});
