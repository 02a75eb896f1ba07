import type { FormOperation } from "../form/form-field.ts";
import { providedSources, type Sources } from "../form/source.ts";
import { comparableFields } from "./settings.ts";

/** Groups whose results are measured. */
const comparedGroups = ["image", "video", "audio"];

/** Whether the settings of an operation can be compared: with one file of the browser, and no further files. */
export function canCompare(operation: FormOperation, sources: Sources): boolean {
  const { fields, files, group } = operation;
  const further = files.filter(({ part }) => part !== "file");
  return (
    comparedGroups.includes(group) &&
    files[0]?.count.max === 1 &&
    further.every(({ part, count }) => providedSources(sources, part, count.max).length === 0) &&
    providedSources(sources, "file", 1)[0]?.kind === "file" &&
    comparableFields({ fields }).length > 0
  );
}
