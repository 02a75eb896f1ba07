import { expect, it } from "vitest";
import { highlight, highlightPublic } from "#components/code/highlight.ts";

/** JSON of this many lines, which no other page has. */
const json = (lines: number) =>
  JSON.stringify(
    Array.from({ length: lines }, (_, id) => ({ id, name: "a", ok: true })),
    null,
    1,
  );

async function measure(render: typeof highlight, code: string): Promise<number> {
  const startedAt = performance.now();
  await render(code, "json");
  return performance.now() - startedAt;
}

it("public code is highlighted once, and the same code in another language is other HTML", async () => {
  await highlightPublic("{}", "json");
  const first = await measure(highlightPublic, json(200));
  expect(await measure(highlightPublic, json(200))).toBeLessThan(first / 10);
  expect(await highlightPublic("if", "bash")).not.toBe(await highlightPublic("if", "json"));
});

it("other code is not kept", async () => {
  await highlight(json(201), "json");
  const again = await measure(highlight, json(201));
  await highlightPublic(json(201), "json");
  expect(await measure(highlightPublic, json(201))).toBeLessThan(again / 10);
});
