import { expect, it } from "vitest";
import { toSample } from "#tests/samples/images/images.ts";
import { firstExtra, makePages } from "#tests/samples/pdf/drawn-pdf.ts";
import { makeRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { runOperation } from "#tests/support/operation.ts";
import { bookmarks } from "./index.ts";

const makeSample = () => toSample("pdf", makeRichPdf({ pages: 3 }));

it("replaces the bookmarks, and lists them", async () => {
  const sample = await makeSample();
  const given = [
    { title: "Größe", page: 1, level: 1 },
    { title: "Below", page: 3, level: 2 },
    { title: "Last", page: 2, level: 1 },
  ];
  const { outputs } = await runOperation(bookmarks, sample, { bookmarks: given });
  const written = { ...sample, path: outputs[0]?.path ?? "" };
  const { result } = await runOperation(bookmarks, written, {});
  expect(result).toEqual({ bookmarks: given });
  const { outputs: emptied } = await runOperation(bookmarks, written, { bookmarks: [] });
  const { result: none } = await runOperation(
    bookmarks,
    { ...sample, path: emptied[0]?.path ?? "" },
    {},
  );
  expect(none).toEqual({ bookmarks: [] });
});

it("rejects a page that does not exist, and a level that is skipped", async () => {
  const sample = await makeSample();
  const missing = { bookmarks: [{ title: "A", page: 4, level: 1 }] };
  await expect(runOperation(bookmarks, sample, missing)).rejects.toMatchObject({
    code: "empty",
    message: expect.stringContaining("there is no page 4"),
  });
  const skipped = { bookmarks: [{ title: "A", page: 1, level: 2 }] };
  expect(bookmarks.params.safeParse(skipped).success).toBe(false);
});

it("says that bookmarks beyond the limit are not listed", async () => {
  const first = firstExtra([{}]);
  const count = 5003;
  const extra = Array.from({ length: count }, (_, index) => {
    const next = index + 1 < count ? `/Next ${first + index + 2} 0 R` : "";
    return `<< /Title (Bookmark ${index + 1}) /Parent ${first} 0 R /Dest [7 0 R /Fit] ${next} >>`;
  });
  const outlines = `<< /First ${first + 1} 0 R /Last ${first + count} 0 R /Count ${count} >>`;
  const catalog = `/Outlines ${first} 0 R`;
  const pdf = makePages([{}], { catalog, extra: [outlines, ...extra] });
  const { result, warnings } = await runOperation(bookmarks, await toSample("pdf", pdf), {});
  expect(result?.bookmarks).toHaveLength(5000);
  expect(warnings).toEqual([expect.stringContaining("Only 5000 of the 5003 bookmarks")]);
});
