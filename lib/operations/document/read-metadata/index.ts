import { z } from "zod";
import { readShownTags } from "#lib/engines/exiftool/exiftool.ts";
import { createTagLimiter } from "#lib/engines/exiftool/limit-tags.ts";
import { readPdfInfo } from "#lib/engines/pdf/qpdf.ts";
import { defineOperation } from "../../define.ts";
import { writeResult } from "../../write-result.ts";

export const readMetadata = defineOperation({
  id: "document/read-metadata",
  title: "Read PDF metadata",
  summary: "Report the metadata tags of a PDF, such as its title, author, dates and XMP.",
  accepts: ["pdf"],
  params: z.strictObject({}),
  example: {},
  sample: { input: "contract.pdf" },
  produces: () => "json",
  result: z.strictObject({
    tags: z
      .record(z.string(), z.unknown())
      .describe("Values by tag, such as Title, CreateDate and PDFVersion."),
  }),
  runsIn: "runner",
  requires: ["poppler", "exiftool"],
  async run({ input, work, signal }) {
    // exiftool also reads tags of what is no longer a PDF.
    await readPdfInfo(input, work, signal);
    const tags = await readShownTags(input, signal);
    return writeResult({ tags: createTagLimiter()(tags) }, work);
  },
});
