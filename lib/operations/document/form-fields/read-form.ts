import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { collectFields, formOf, key } from "#lib/formats/pdf/forms/collect-fields.ts";
import { describeField } from "#lib/formats/pdf/forms/describe-field.ts";
import { openDocument, translateStructureErrors } from "../../shared/pdf/open-document.ts";

/** Worker function: reads the fields of the form of a PDF. */
export const readForm = async ({ files: [file] }: WorkerCall) => {
  if (!file) throw new Error("no file");
  const document = await openDocument(file);
  return translateStructureErrors(() => {
    const fields = collectFields(document).map((field) => describeField(field, document));
    const hasXfa = formOf(document)?.has(key("XFA")) ?? false;
    return { outputs: [], result: { fields, has_xfa: hasXfa, pages: document.getPageCount() } };
  });
};
