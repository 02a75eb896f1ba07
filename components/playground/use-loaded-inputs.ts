"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { toast } from "#components/ui/toast.ts";
import type { StartFile } from "./playground.tsx";
import { loadFile, type Source } from "./source.ts";

/** Fetches the files of an earlier job, as if they had been chosen; true while it does. */
export function useLoadedInputs(
  files: readonly StartFile[],
  onLoad: (part: string, source: Source) => void,
): boolean {
  const [loading, setLoading] = useState(files.length > 0);
  const load = useEffectEvent(async (isOver: () => boolean) => {
    for (const file of files) {
      try {
        const source = await open(file);
        if (!isOver() && source) onLoad(file.part, source);
      } catch {
        toast.error(`${file.name} is no longer there. Choose another file.`);
      }
    }
    if (!isOver()) setLoading(false);
  });
  useEffect(() => {
    let over = false;
    void load(() => over);
    return () => {
      over = true;
    };
  }, []);
  return loading;
}

async function open({ name, url, address }: StartFile): Promise<Source | undefined> {
  if (url !== null) return { kind: "file", file: await loadFile(url, name) };
  return address === null ? undefined : { kind: "url", url: address };
}
