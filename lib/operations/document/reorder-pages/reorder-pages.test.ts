import { expect, it } from "vitest";
import { toSample } from "#tests/samples/images/images.ts";
import { makeRichPdf, readRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { runOperation } from "#tests/support/operation.ts";
import { reorderPages } from "./index.ts";

const numbers = (text: readonly string[]) =>
  text.map((page) => Number(/Page (\d)/.exec(page)?.[1]));

it.each([
  ["3", [3, 1, 2, 4, 5]],
  ["last-1", [5, 4, 3, 2, 1]],
  ["4-,2,2,99", [4, 5, 2, 1, 3]],
  ["even,r1-r2", [2, 4, 5, 1, 3]],
])("%s", async (order, expected) => {
  const sample = await toSample("pdf", makeRichPdf({ pages: 5 }));
  const { outputs } = await runOperation(reorderPages, sample, { order });
  const read = readRichPdf(outputs[0]?.path ?? "");
  const at = (page: number) => expected.indexOf(page) + 1;
  expect(numbers(read.text)).toEqual(expected);
  expect(read).toMatchObject({
    outlines: `Start>${at(1)}[${[1, 2, 3, 4, 5].map((page) => `Page ${page}>${at(page)}`).join(" ")}] Web>-`,
    links: expected.map(() => [at(1), at(5)]),
    attachments: ["notes.txt"],
  });
  expect(read.fields.toSorted()).toEqual(
    [1, 2, 3, 4, 5].flatMap((page) => [`field${page}@${at(page)}`, `name@${page}`]).toSorted(),
  );
});

it("fails if no page is listed that is there; other texts are rejected", async () => {
  const sample = await toSample("pdf", makeRichPdf({ pages: 2 }));
  const run = runOperation(reorderPages, sample, { order: "3-7" });
  await expect(run).rejects.toMatchObject({
    code: "empty",
    message: expect.stringContaining("`order`"),
  });
  expect(
    ["", "0", "1;2", "first", "!2"].some(
      (order) => reorderPages.params.safeParse({ order }).success,
    ),
  ).toBe(false);
});
