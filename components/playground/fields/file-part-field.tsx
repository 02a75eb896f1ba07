"use client";

import { lazy, Suspense } from "react";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { FileField } from "./file-field.tsx";
import type { FilesFieldProps } from "./files-field.tsx";

// Few operations take several files.
const FilesField = lazy(async () => ({
  default: (await import("./files-field.tsx")).FilesField,
}));

/** The field of a part, for one file or for several. */
export function FilePartField(props: FilesFieldProps) {
  const { sources, onChange, ...rest } = props;
  if (props.field.count.max > 1) {
    return (
      <Suspense fallback={<Skeleton className="h-40 w-full" />}>
        <FilesField {...props} />
      </Suspense>
    );
  }
  return (
    <FileField
      {...rest}
      source={sources[0]}
      // Further files of an operation that takes several stay for the next one that does.
      onChange={(source) => onChange(([, ...others]) => (source ? [source, ...others] : []))}
    />
  );
}
