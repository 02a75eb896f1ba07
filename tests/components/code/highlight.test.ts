import { expect, it } from "vitest";
import { highlight } from "#components/code/highlight.ts";

/** JSON of this many lines, which no other page has. */
const json = (lines: number) =>
  JSON.stringify(
    Array.from({ length: lines }, (_, id) => ({ id, name: "a", ok: true })),
    null,
    1,
  );

async function measure(code: string): Promise<number> {
  const startedAt = performance.now();
  await highlight(code, "json");
  return performance.now() - startedAt;
}

it("code is highlighted once, and the same code in another language is other HTML", async () => {
  await highlight("{}", "json");
  const first = await measure(json(200));
  expect(await measure(json(200))).toBeLessThan(first / 10);
  expect(await highlight("if", "bash")).not.toBe(await highlight("if", "json"));
});
