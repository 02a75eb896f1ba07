"use client";

import { useEffect, useState } from "react";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { PreviewFile } from "./kind.ts";

/** How much of a text is shown. */
const shownBytes = 16_384;

/** The beginning of a text, as it is written: what a browser would run is not run. */
export function TextView({ file }: { file: PreviewFile }) {
  const [text, setText] = useState<string | null>();
  useEffect(() => {
    const over = new AbortController();
    readBeginning(file.url, over.signal).then(setText, () => {
      if (!over.signal.aborted) setText(null);
    });
    return () => over.abort();
  }, [file.url]);
  if (text === undefined) return <Skeleton className="h-40 w-full" />;
  if (text === null)
    return <p className="text-sm text-muted-foreground">The file could not be read.</p>;
  return (
    <div className="grid gap-2">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="max-h-[60vh] overflow-auto rounded-lg border bg-background p-4 font-mono text-xs leading-relaxed break-words whitespace-pre-wrap"
      >
        {text}
      </pre>
      {file.bytes > shownBytes && (
        <p className="text-xs text-muted-foreground">Only the beginning is shown.</p>
      )}
    </div>
  );
}

async function readBeginning(url: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(url, { signal, headers: { Range: `bytes=0-${shownBytes - 1}` } });
  if (!answer.ok) throw new Error(`${answer.status}`);
  const bytes = new Uint8Array(await answer.arrayBuffer()).subarray(0, shownBytes);
  return new TextDecoder().decode(bytes);
}
