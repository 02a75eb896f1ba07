import { describe, expect, it } from "vitest";
import { operations } from "#lib/operations/catalogue/index.ts";
import { describeBadInputs } from "#tests/hostile/describe-bad-inputs.ts";
import { badPdfs } from "#tests/hostile/documents/bad-pdfs.ts";

describeBadInputs(badPdfs);

const withPageRanges = operations.filter(({ params }) => "page_ranges" in params.shape);

describe.each(withPageRanges)("$id", ({ params, example }) => {
  it.each(["0", "5-2", "a", "", "1-", "-1", "1,,2", "1.5", "１", `1-${"9".repeat(30)}`])(
    "rejects %j as page ranges",
    (page_ranges) => {
      expect(params.safeParse({ ...example, page_ranges }).success).toBe(false);
    },
  );
});
