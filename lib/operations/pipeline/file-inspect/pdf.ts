import { readPageUnits, scaleSize } from "#lib/engines/pdf/page-units.ts";
import { readPdfInfo } from "#lib/engines/pdf/qpdf.ts";
import { isDynamicForm } from "#lib/engines/pdf/run-qpdf.ts";
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
  // The structure of other files fits into memory.
  const { value, problem } = await attempt(read({ input, work, signal }), "out_of_memory");
  if (!value)
    return withoutUndefined({
      version: await readVersion(input.path),
      ...unreadableProperties(problem),
    });
  const { info, unitOf } = value;
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

/** A file that does not fit into memory is refused before poppler reads it, which takes longer. */
async function read({ input, work, signal }: Inspection) {
  await isDynamicForm(input, work, signal);
  const info = await readPdfInfo(input, work, signal);
  // What poppler has read is right without the units of qpdf, which few files have.
  const { value: unitOf = () => 1 } = await attempt(readPageUnits(input, work, signal));
  return { info, unitOf };
}

/** The version in the first line, which an encrypted or damaged file has too. */
function readVersion(path: string): Promise<string | undefined> {
  return withFileSource(path, async ({ head }) => {
    return /%PDF-(\d\.\d)/.exec(head.toString("latin1", 0, 1024))?.[1];
  });
}
