"use client";

import { Suspense } from "react";
import { lazyPart } from "#components/ui/loading/lazy-part.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { DroppedFile } from "../form/dropped-files.ts";
import { FileField } from "./file-field.tsx";
import type { FilesFieldProps } from "./files-field.tsx";

// Few operations take several files.
const FilesField = lazyPart(() => import("./files-field.tsx").then((module) => module.FilesField));

interface FilePartFieldProps extends FilesFieldProps {
  /** Takes many files, on each of which the form is run, if the part is the input and takes one file. */
  readonly onMany: (files: readonly DroppedFile[]) => void;
}

/** The field of a part, for one file or for several. */
export function FilePartField(props: FilePartFieldProps) {
  const { sources, onChange, onMany, ...rest } = props;
  if (props.field.count.max > 1) {
    return (
      <Suspense fallback={<Skeleton className="h-40 w-full" />}>
        <FilesField {...rest} sources={sources} onChange={onChange} />
      </Suspense>
    );
  }
  return (
    <FileField
      {...rest}
      onMany={props.field.part === "file" ? onMany : undefined}
      source={sources[0]}
      // Further files of an operation that takes several stay for the next one that does.
      onChange={(source) => onChange(([, ...others]) => (source ? [source, ...others] : []))}
    />
  );
}
