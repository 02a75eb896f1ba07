import { expect, it } from "vitest";
import { findSlowTargets } from "#tests/hostile/texts/text-attack.ts";

it("no repeated text takes long to check, detect or read", async () => {
  expect(await findSlowTargets(false)).toEqual([]);
});
