"use client";

import { useState } from "react";
import type { InitialFile } from "../form/form-start.ts";
import type { Source, Sources } from "../form/source.ts";
import { useInitialFiles } from "./use-initial-files.ts";

type Change = (before: readonly Source[]) => readonly Source[];

interface FormSources {
  readonly sources: Sources;
  /** Changes the files of a part. */
  readonly change: (part: string, change: Change) => void;
  /** Whether samples or files of an earlier job are still loading. */
  readonly loading: boolean;
  /**
   * The function to call with true when samples start to load, and with false when this has ended.
   */
  readonly onBusy: (isBusy: boolean) => void;
}

interface UseSourcesOptions {
  /** The files of an earlier job. */
  readonly initialFiles: readonly InitialFile[];
  readonly accountId: string;
  /** The function that is called with the part whose files have changed. */
  readonly onChange: (part: string) => void;
}

/** The files of the form. It starts with those of an earlier job, unless this tab keeps the form. */
export function useSources({ initialFiles, accountId, onChange }: UseSourcesOptions): FormSources {
  const [sources, setSources] = useState<Sources>({});
  const [busy, setBusy] = useState(0);
  const change = (part: string, change: Change) => {
    setSources((before) => ({ ...before, [part]: change(before[part] ?? []) }));
    onChange(part);
  };
  const isLoadingInitial = useInitialFiles(initialFiles, accountId, (part, source) =>
    change(part, (before) => [...before, source]),
  );
  return {
    sources,
    change,
    loading: isLoadingInitial || busy > 0,
    onBusy: (isBusy) => setBusy((before) => before + (isBusy ? 1 : -1)),
  };
}
