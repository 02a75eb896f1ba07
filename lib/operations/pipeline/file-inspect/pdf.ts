import { readPdfInfo } from "#lib/engines/pdf/qpdf.ts";
import { withFileSource } from "#lib/media/byte-source.ts";
import { attempt, type Figures, type Inspection, known, unreadable } from "./report.ts";

/** `pages page_sizes encrypted version title` and what else the document says of itself. */
export async function inspectPdf({ input, work, signal }: Inspection): Promise<Figures> {
  const { value: info, problem } = await attempt(readPdfInfo(input, work, signal));
  if (!info) return known({ version: await readVersion(input.path), ...unreadable(problem) });
  return known({
    pages: info.pages,
    page_sizes: info.pageSizes,
    encrypted: info.encrypted,
    version: info.version,
    linearized: info.linearized,
    tagged: info.tagged,
    title: info.title,
    author: info.author,
    subject: info.subject,
    keywords: info.keywords,
    creator: info.creator,
    producer: info.producer,
    created_at: info.createdAt,
    modified_at: info.modifiedAt,
  });
}

/** What the first line claims: all that can be read of a locked or damaged file. */
function readVersion(path: string): Promise<string | undefined> {
  return withFileSource(path, async ({ head }) => {
    return /%PDF-(\d\.\d)/.exec(head.toString("latin1", 0, 1024))?.[1];
  });
}
