import type { WorkerFunction } from "../../worker/call.ts";
import { openDocument, translateStructureErrors } from "../structure/open-document.ts";
import { collectFields, formOf, key } from "./collect-fields.ts";
import { describeField } from "./describe-field.ts";

/** Worker function: reads the fields of the form of a PDF. */
export const readForm: WorkerFunction<unknown> = async ({ files: [file] }) => {
  if (!file) throw new Error("no file");
  const document = await openDocument(file);
  return translateStructureErrors(() => {
    const fields = collectFields(document).map((field) => describeField(field, document));
    const hasXfa = formOf(document)?.has(key("XFA")) ?? false;
    return { outputs: [], result: { fields, has_xfa: hasXfa, pages: document.getPageCount() } };
  });
};
