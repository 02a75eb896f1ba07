import { PDFDict, PDFName, PDFStream } from "@cantoo/pdf-lib";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { needsAppearances } from "#lib/formats/pdf/forms/annotations.ts";
import { collectFields, type RawField } from "#lib/formats/pdf/forms/collect-fields.ts";
import { readValue, typeOf } from "#lib/formats/pdf/forms/describe-field.ts";
import { resolveValue } from "#lib/formats/pdf/forms/resolve-value.ts";
import { openDocument, translateStructureErrors } from "../../shared/pdf/open-document.ts";

/**
 * Worker function: writes the values of text fields and lists that have no appearance, or whose appearance
 * readers make again, as JSON for `fillFields`. `count` in the result is their number.
 */
export const writeUndrawnValues = async ({ files: [file], work }: WorkerCall) => {
  if (!file) throw new Error("no file");
  const document = await openDocument(file);
  return translateStructureErrors(async () => {
    const isStale = needsAppearances(document);
    const undrawn = collectFields(document).filter(
      (field) => hasText(field) && (isStale || !isDrawn(field)),
    );
    const values = Object.fromEntries(
      undrawn.map((field) => [field.name, readValue(field, "V")] as const),
    );
    const output = work.scratch("json");
    await writeNew(output.path, JSON.stringify(values));
    return { outputs: [output], result: { count: undrawn.length } };
  });
};

/** Whether it is a text field or a list with a valid value that is not empty. */
function hasText(field: RawField): boolean {
  if (!["text", "dropdown", "list"].includes(typeOf(field))) return false;
  const value = readValue(field, "V");
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return false;
  try {
    resolveValue(field, value);
    return true;
  } catch (error) {
    if (error instanceof JobError) return false;
    throw error;
  }
}

function isDrawn({ widgets }: RawField): boolean {
  return widgets.every(({ dict }) => {
    const appearances = dict.lookup(PDFName.of("AP"));
    return (
      appearances instanceof PDFDict && appearances.lookup(PDFName.of("N")) instanceof PDFStream
    );
  });
}
