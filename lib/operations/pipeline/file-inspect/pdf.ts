import { readPageUnits, scaleSize } from "#lib/engines/pdf/page-units.ts";
import { readPdfInfo } from "#lib/engines/pdf/qpdf.ts";
import { withFileSource } from "#lib/media/byte-source.ts";
import {
  attempt,
  type Inspection,
  type Properties,
  unreadableProperties,
  withoutUndefined,
} from "./report.ts";

/** Pages, page sizes, encryption, version and document information of a PDF. */
export async function inspectPdf({ input, work, signal }: Inspection): Promise<Properties> {
  const { value: info, problem } = await attempt(readPdfInfo(input, work, signal));
  if (!info)
    return withoutUndefined({
      version: await readVersion(input.path),
      ...unreadableProperties(problem),
    });
  const { value: unitOf = () => 1 } = await attempt(readPageUnits(input, work, signal));
  return withoutUndefined({
    pages: info.pages,
    page_sizes: info.pageSizes.map((size, index) => scaleSize(size, unitOf(index + 1))),
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

/** The version in the first line, which an encrypted or damaged file has too. */
function readVersion(path: string): Promise<string | undefined> {
  return withFileSource(path, async ({ head }) => {
    return /%PDF-(\d\.\d)/.exec(head.toString("latin1", 0, 1024))?.[1];
  });
}
