"use client";

import { useEffect, useState } from "react";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { PreviewFile } from "./preview-file.ts";

/** The size of the text that is shown. */
const maxBytes = 16_384;

/** The start of a text file as plain text: markup and scripts in it are not executed. */
export function TextView({ file }: { file: PreviewFile }) {
  const [text, setText] = useState<string | null>();
  useEffect(() => {
    const controller = new AbortController();
    readStart(file.url, controller.signal).then(setText, () => {
      if (!controller.signal.aborted) setText(null);
    });
    return () => controller.abort();
  }, [file.url]);
  if (text === undefined) return <Skeleton className="h-40 w-full" />;
  if (text === null)
    return (
      <p className="text-sm text-muted-foreground">
        The file could not be loaded. Download it to view it.
      </p>
    );
  return (
    <div className="grid gap-2">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
        className="max-h-[60vh] overflow-auto rounded-lg border bg-background p-4 font-mono text-xs leading-relaxed break-words whitespace-pre-wrap"
      >
        {text}
      </pre>
      {file.bytes > maxBytes && (
        <p className="text-xs text-muted-foreground">Only the first 16 KiB are shown.</p>
      )}
    </div>
  );
}

async function readStart(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal, headers: { Range: `bytes=0-${maxBytes - 1}` } });
  if (!response.ok) throw new Error(`the file returned status ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer()).subarray(0, maxBytes);
  return new TextDecoder().decode(bytes);
}
