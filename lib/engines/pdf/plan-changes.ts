import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import { planPdf } from "#lib/formats/scrub/pdf.ts";
import { limitError } from "#lib/limits/limits.ts";
import { requireFiles, type WorkerCall, type WorkerOutput } from "../worker/worker-function.ts";

/**
 * Plans the removal of a PDF's metadata and writes the changes for `qpdf --update-from-json`. The file is
 * qpdf's JSON of the PDF.
 */
export async function planChanges({
  files,
  work,
}: WorkerCall): Promise<WorkerOutput<{ encrypted: boolean }>> {
  const [structure] = requireFiles(files);
  const { pdfPages } = work.limits;
  const { update, encrypted, pages } = planPdf(await readRegular(structure.path, "utf8"));
  if (pages > pdfPages) throw limitError("pdfPages", pdfPages);
  const output = work.scratch("json");
  await writeNew(output.path, update);
  return { outputs: [output], result: { encrypted } };
}
