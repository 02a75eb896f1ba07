import { maxMetadataLength, maxMetadataValues } from "#lib/jobs/metadata-limits.ts";
import { fileTooLargeMessage } from "#lib/plans.ts";
import type { createTypeCheck } from "../form/check-type.ts";
import { wrongTypeMessage } from "../form/check-type.ts";
import type { DroppedFile } from "../form/dropped-files.ts";
import type { FormError } from "../form/form-error.ts";
import type { FileField } from "../form/form-field.ts";
import { filledEntries, type JobOptions } from "../form/job-options.ts";
import type { RunRequest } from "../form/send-run.ts";
import type { Source } from "../form/source.ts";
import { prepareRun, type SentForm, toRunRequest } from "../steps/run-request.ts";
import { type BatchError, batchMetadata } from "./batch.ts";

type TypeCheck = ReturnType<typeof createTypeCheck>;

/** What a batch sends. */
export interface PreparedBatch {
  /** Why the file is not sent; undefined if it is. */
  readonly problemOf: (file: DroppedFile) => BatchError | undefined;
  readonly requestOf: (file: DroppedFile, batchId: string) => RunRequest | undefined;
}

/** The requests of a form that is run on each file, or what is wrong with the form or with all files. */
export function prepareBatch(
  form: SentForm,
  files: readonly DroppedFile[],
  maxFileBytes: number | null,
  takes: TypeCheck,
): PreparedBatch | { readonly error: FormError } {
  const field = form.steps[0]?.operation.files.find(({ part }) => part === "file");
  if (!field) return { error: { field: "form", message: "This operation takes no file." } };
  const problemOf = (file: DroppedFile) => findProblem(file, field, maxFileBytes, takes);
  const first = files.find((file) => !problemOf(file));
  if (!first) {
    const message = `None of the files can be used. This operation takes ${field.types}.`;
    return { error: { field: "file", message } };
  }
  const withFile = (file: DroppedFile) => ({ ...form.sources, file: [toSource(file)] });
  const prepared = prepareRun({ ...form, sources: withFile(first) }, maxFileBytes, takes);
  if ("error" in prepared) return prepared;
  return {
    problemOf,
    requestOf: (file, batchId) =>
      toRunRequest(form.steps, withFile(file), withBatch(form.options, file.path, batchId)),
  };
}

const toSource = ({ file }: DroppedFile): Source => ({ kind: "file", file });

function findProblem(
  dropped: DroppedFile,
  field: FileField,
  maxFileBytes: number | null,
  takes: TypeCheck,
): BatchError | undefined {
  const { size } = dropped.file;
  if (size === 0) return { message: "The file is empty.", isFinal: true };
  if (!takes(field, toSource(dropped))) {
    return { message: wrongTypeMessage(field, toSource(dropped)), isFinal: true };
  }
  const isTooLarge = maxFileBytes !== null && size > maxFileBytes;
  return isTooLarge
    ? { message: fileTooLargeMessage({ bytes: maxFileBytes, owner: "plan" }), isFinal: true }
    : undefined;
}

/** The options with the batch and the file's path as metadata, by which the jobs are found. The user's own values stay. */
function withBatch(options: JobOptions, path: string, batchId: string): JobOptions {
  const own = filledEntries(options);
  const added = [
    { name: batchMetadata.batch, value: batchId },
    { name: batchMetadata.path, value: path },
  ].filter(
    ({ name, value }) =>
      !own.some((entry) => entry.name === name) && value.length <= maxMetadataLength,
  );
  return { ...options, metadata: [...own, ...added].slice(0, maxMetadataValues) };
}
