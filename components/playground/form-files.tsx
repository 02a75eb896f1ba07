"use client";

import { Suspense } from "react";
import { lazyPart } from "#components/ui/loading/lazy-part.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { Batch } from "./batch/use-batch.ts";
import { FilePartField } from "./fields/file-part-field.tsx";
import type { createTypeCheck } from "./form/check-type.ts";
import type { DroppedFile } from "./form/dropped-files.ts";
import type { FormOperation } from "./form/form-field.ts";
import type { useSources } from "./state/use-sources.ts";

// Most forms are run on one file.
const BatchField = lazyPart(() =>
  import("./batch/batch-field.tsx").then((module) => module.BatchField),
);

interface FormFilesProps {
  /** The first operation of the job, which takes the files. */
  readonly operation: FormOperation;
  /** Whether the job has several operations, so that it takes only the main file. */
  readonly isChain: boolean;
  readonly files: ReturnType<typeof useSources>;
  readonly batch: Batch;
  readonly takes: ReturnType<typeof createTypeCheck>;
  readonly errorOf: (part: string) => string | undefined;
  readonly onDropped: (files: readonly DroppedFile[]) => void;
}

/** The files of the form: one for each part, or many on each of which it is run. */
export function FormFiles(props: FormFilesProps) {
  const { operation, isChain, files, batch, takes, errorOf, onDropped } = props;
  const fields = isChain ? operation.files.slice(0, 1) : operation.files;
  return fields.map((field) => {
    const { part } = field;
    if (part === "file" && field.count.max === 1 && batch.files.length > 0) {
      const unusable = batch.files.filter(({ file }) => !takes(field, { kind: "file", file }));
      return (
        <Suspense key={part} fallback={<Skeleton className="h-20 w-full" />}>
          <BatchField
            field={field}
            files={batch.files}
            unusable={unusable.length}
            error={errorOf(part)}
            onRemove={() => batch.choose([])}
          />
        </Suspense>
      );
    }
    return (
      <FilePartField
        key={part}
        field={field}
        sources={files.sources[part] ?? []}
        error={errorOf(part)}
        onBusy={files.onBusy}
        onChange={(change) => files.change(part, change)}
        onMany={onDropped}
      />
    );
  });
}
