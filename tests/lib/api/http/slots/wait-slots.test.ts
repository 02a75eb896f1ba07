import { expect, test } from "vitest";
import { holdWait, maxWaits } from "#lib/api/http/slots/wait-slots.ts";

test("an account has a limited number of long polls at a time", async () => {
  const ended = Promise.withResolvers<string>();
  const waits = Array.from({ length: maxWaits }, () => holdWait("a", () => ended.promise));
  await expect(holdWait("a", () => ended.promise)).rejects.toMatchObject({ code: "rate_limited" });
  const other = holdWait("b", () => ended.promise);
  ended.resolve("job");
  expect(await Promise.all([...waits, other])).toEqual(Array(maxWaits + 1).fill("job"));
  expect(await holdWait("a", async () => "job")).toBe("job");
});
