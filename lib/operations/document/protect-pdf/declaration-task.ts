import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { PdfWriter } from "#lib/formats/pdf/objects/writer.ts";
import { PdfAssembly } from "#lib/formats/pdf/pages/assembly.ts";
import { writeUndeclaredMetadata } from "../../shared/pdf/overlay/undeclared-metadata.ts";
import { openInput } from "../../shared/pdf/pages/tasks.ts";

/** The same file, which is not declared as PDF/A. */
export const removeDeclaration = async (call: WorkerCall) => {
  const source = openInput(call);
  const output = call.work.scratch("pdf");
  const writer = new PdfWriter(output.path, source.file.version);
  const assembly = new PdfAssembly(writer, { metadata: writeUndeclaredMetadata(source, writer) });
  assembly.add(source);
  assembly.finish();
  return { outputs: [{ ...output, pages: assembly.pages }] };
};
