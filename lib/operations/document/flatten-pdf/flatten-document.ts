import { runPdfEngine } from "#lib/engines/pdf/run-pdf.ts";
import { type QpdfArgument, runQpdf } from "#lib/engines/pdf/run-qpdf.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { readReport } from "#lib/files/regular-files.ts";
import { textBoxesSchema } from "#lib/formats/pdf/text/text-box.ts";
import { fillFields, planTextBoxes } from "../../shared/pdf/forms/worker-functions.ts";
import { normalizePdf } from "../../shared/pdf/normalize-pdf.ts";
import { objectStreamsOf } from "../../shared/pdf/object-streams.ts";
import { printTextBoxes } from "../../shared/to-pdf/print-text-boxes.ts";
import { finishFlattening, separateAnnotations, writeUndrawnValues } from "./worker-functions.ts";

/**
 * Writes the PDF with its form fields and annotations as page content, and nothing interactive but
 * bookmarks. Values without appearances are drawn as `fill-form` does, other annotations by poppler. The encryption stays.
 * Returns how many annotations are drawn. Throws `JobError` as `runPdfEngine` does.
 */
export async function flattenPdf(
  input: WorkFile,
  output: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
  options: { readonly flatPages: boolean },
): Promise<number> {
  const copy = await normalizePdf(input, work, signal, options);
  const normalized = await drawValues(copy, work, signal);
  const timeoutMs = work.limits.pdfSeconds * 1000;
  const call = { work, signal, timeoutMs };
  const separated = await callInWorker(separateAnnotations, { ...call, files: [normalized] });
  const [main, others] = separated.outputs;
  if (!main) throw new Error("a worker returned no PDF");
  const { stored, missing } = separated.result;
  const flat = stored > 0 ? await flattenStored(main, work, signal) : main;
  const drawn = others ? [await drawMissing(others, work, signal)] : [];
  const { outputs } = await callInWorker(finishFlattening, { ...call, files: [flat, ...drawn] });
  const [finished] = outputs;
  if (!finished) throw new Error("a worker returned no PDF");
  const args: QpdfArgument[] = [`--object-streams=${await objectStreamsOf(finished)}`, finished];
  if (copy.encrypted) args.push(["--copy-encryption=", input]);
  await runQpdf({ args, output }, work, signal);
  return stored + missing;
}

/** The PDF with appearances of all text fields that have a value, in any script. */
async function drawValues(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const call = { work, signal };
  const undrawn = await callInWorker(writeUndrawnValues, { ...call, files: [file] });
  const [values] = undrawn.outputs;
  if (!values || undrawn.result.count === 0) return file;
  const files = [file, values];
  const planned = await callInWorker(planTextBoxes, { ...call, files });
  const plan = await readReport(/* turbopackIgnore: true */ planned.outputs[0]?.path ?? "", "utf8");
  const boxes = textBoxesSchema.parse(JSON.parse(plan));
  if (boxes.length > 0) files.push(await printTextBoxes(boxes, work, signal));
  const { outputs } = await callInWorker(fillFields, {
    ...call,
    files,
    options: { flatten: false },
  });
  return outputs[0] ?? file;
}

async function flattenStored(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const output = work.scratch("pdf");
  const args = ["--flatten-annotations=screen", "--object-streams=disable", file];
  await runQpdf({ args, output }, work, signal);
  return output;
}

async function drawMissing(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const output = work.scratch("pdf");
  await runPdfEngine("poppler", work, signal, {
    command: "pdftocairo",
    args: ["-pdf", file.name, output.name],
  });
  return output;
}
