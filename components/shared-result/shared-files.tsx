"use client";

import { DownloadIcon } from "lucide-react";
import { useState } from "react";
import { OutputGrid } from "#components/jobs/output-grid.tsx";
import { Compare } from "#components/preview/compare.tsx";
import { describeFile } from "#components/preview/output-file.ts";
import { Button } from "#components/ui/button.tsx";
import type { SharedFile } from "#lib/jobs/view/shared-result.ts";

interface SharedFilesProps {
  readonly input: SharedFile | undefined;
  readonly outputs: readonly SharedFile[];
}

/** The output files of a shared result, of which one is compared with the input. */
export function SharedFiles({ input, outputs }: SharedFilesProps) {
  const [chosen, setChosen] = useState(0);
  const file = outputs[chosen] ?? outputs[0];
  if (!file) return null;
  const isComparable = outputs.length === 1 || input?.contentType.startsWith("image/");
  return (
    <div className="grid grid-cols-1 gap-4">
      {outputs.length > 1 && <OutputGrid files={outputs} chosen={chosen} onChoose={setChosen} />}
      <Compare key={file.url} input={isComparable ? input : undefined} output={file} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm">
        <p className="min-w-0 break-words text-muted-foreground">
          <span className="text-foreground">{file.filename}</span>, {describeFile(file)}
        </p>
        <Button asChild variant="outline" size="sm">
          <a href={file.url} download={file.filename}>
            <DownloadIcon aria-hidden="true" />
            Download
          </a>
        </Button>
      </div>
    </div>
  );
}
