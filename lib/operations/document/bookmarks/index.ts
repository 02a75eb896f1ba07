import { z } from "zod";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { defineOperation } from "../../define.ts";
import { normalizePdf } from "../../shared/pdf/normalize-pdf.ts";
import { rewritePdf } from "../../shared/pdf/rewrite.ts";
import { writeResult } from "../../write-result.ts";
import { bookmarkLevels, maxBookmarks } from "./levels.ts";
import { listBookmarks, setBookmarks } from "./worker-functions.ts";

const bookmark = z.strictObject({
  title: z
    .string()
    .max(2000)
    .refine((text) => text.isWellFormed(), "must be valid Unicode"),
  page: z.int().min(1).max(100_000),
  level: z.int().min(1).max(bookmarkLevels).default(1),
});

export const bookmarks = defineOperation({
  id: "document/bookmarks",
  title: "PDF bookmarks",
  summary: "List the bookmarks of a PDF, or replace them.",
  accepts: ["pdf"],
  params: z.strictObject({
    bookmarks: z
      .array(bookmark)
      .max(maxBookmarks)
      .refine(isNested, "must begin at level 1, and go down one level at a time")
      .optional()
      .meta({
        description:
          "Bookmarks instead of those of the file, in order, each with its title, page and level: 1 for the top level, 2 for one below the bookmark before it. An empty list removes all. By default they are only listed.",
        control: "json",
      }),
  }),
  example: { bookmarks: [{ title: "Introduction", page: 1 }] },
  sample: { input: "brochure.pdf", params: {} },
  produces: (_, { bookmarks: given }) => (given ? "pdf" : "json"),
  result: z
    .strictObject({
      bookmarks: z.array(
        z.strictObject({
          title: z.string(),
          page: z.int().nullable().describe("The page, from 1; null if it leads to none."),
          level: z.int().describe("1 for the top level."),
        }),
      ),
    })
    .optional(),
  runsIn: "runner",
  requires: ["qpdf"],
  async run({ input, params, work, signal }) {
    if (params.bookmarks) {
      const { outputs, warnings } = await rewritePdf(setBookmarks, {
        inputs: [input],
        options: { bookmarks: params.bookmarks },
        work,
        signal,
      });
      return { outputs, warnings };
    }
    const { result } = await callInWorker(listBookmarks, {
      files: [await normalizePdf(input, work, signal)],
      work,
      signal,
      timeoutMs: work.limits.pdfSeconds * 1000,
    });
    const { bookmarks: listed, count } = result;
    const written = await writeResult({ bookmarks: listed }, work);
    return { ...written, warnings: listed.length < count ? [describeOmitted(listed, count)] : [] };
  },
});

function describeOmitted({ length }: readonly unknown[], count: number): string {
  return `Only ${length} of the ${count} bookmarks are listed: the first ${maxBookmarks}, and those down to level ${bookmarkLevels}.`;
}

/** Whether each bookmark is at most one level below the one before it. */
function isNested(given: readonly { readonly level: number }[]): boolean {
  return given.every(({ level }, index) => level <= (given[index - 1]?.level ?? 0) + 1);
}
