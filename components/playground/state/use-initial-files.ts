"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { toast } from "#components/ui/toast/toast.ts";
import type { InitialFile } from "../form/form-start.ts";
import { isFormSaved } from "../form/saved-form.ts";
import { loadFile, type Source } from "../form/source.ts";

/** Loads the input files of an earlier job into the form. Returns whether it is still loading. */
export function useInitialFiles(
  files: readonly InitialFile[],
  accountId: string,
  onLoad: (part: string, source: Source) => void,
): boolean {
  const [loading, setLoading] = useState(files.length > 0);
  const load = useEffectEvent(async (isCancelled: () => boolean) => {
    for (const file of isFormSaved(accountId) ? [] : files) {
      try {
        const source = await open(file);
        if (!isCancelled() && source) onLoad(file.part, source);
      } catch {
        toast.error(`${file.name} is no longer available. Choose another file.`);
      }
    }
    if (!isCancelled()) setLoading(false);
  });
  useEffect(() => {
    let cancelled = false;
    void load(() => cancelled);
    return () => {
      cancelled = true;
    };
  }, []);
  return loading;
}

async function open({ name, url, sourceUrl }: InitialFile): Promise<Source | undefined> {
  if (url !== null) return { kind: "file", file: await loadFile(url, name) };
  return sourceUrl === null ? undefined : { kind: "url", url: sourceUrl };
}
