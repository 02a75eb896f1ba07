"use client";

import { ChevronLeftIcon, ChevronRightIcon } from "lucide-react";
import { useRef, useState } from "react";
import { cn } from "#components/class-names.ts";
import { Button } from "#components/ui/button.tsx";
import { Slider } from "#components/ui/inputs/slider.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { PreviewFile } from "./preview-file.ts";
import { UnsupportedFormat } from "./unsupported-format.tsx";
import { usePdf, useRenderedPage } from "./use-pdf.ts";

/** A PDF, one page at a time. */
export function PdfView({ file }: { file: PreviewFile }) {
  const [number, setNumber] = useState(1);
  const canvas = useRef<HTMLCanvasElement>(null);
  const pdf = usePdf(file.url);
  const rendered = useRenderedPage(pdf, number, canvas);
  if (pdf === null || rendered === "failed") return <UnsupportedFormat file={file} />;
  const label = pdf ? `Page ${number} of ${pdf.numPages}` : "Loading PDF";
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-2">
      <section
        aria-label={file.filename}
        aria-busy={rendered?.number !== number}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
        className="relative max-h-[60vh] overflow-auto rounded-lg border bg-secondary"
      >
        {!rendered && <Skeleton className="h-[60vh] rounded-none" />}
        <canvas
          ref={canvas}
          role="img"
          aria-label={label}
          className={cn(
            "mx-auto block w-full bg-white",
            !rendered && "invisible absolute inset-x-0 top-0",
          )}
        />
        {rendered && <p className="sr-only">{rendered.text}</p>}
      </section>
      {pdf && <Pager number={number} pages={pdf.numPages} onChange={setNumber} />}
    </div>
  );
}

interface PagerProps {
  readonly number: number;
  readonly pages: number;
  readonly onChange: (number: number) => void;
}

function Pager({ number, pages, onChange }: PagerProps) {
  return (
    <div className="flex items-center gap-2 text-xs text-muted-foreground">
      {pages > 1 && (
        <>
          <Button
            variant="ghost"
            size="icon-sm"
            disabled={number === 1}
            onClick={() => onChange(number - 1)}
          >
            <ChevronLeftIcon />
            <span className="sr-only">Previous page</span>
          </Button>
          <Slider aria-label="Page" min={1} max={pages} value={number} onValueChange={onChange} />
          <Button
            variant="ghost"
            size="icon-sm"
            disabled={number === pages}
            onClick={() => onChange(number + 1)}
          >
            <ChevronRightIcon />
            <span className="sr-only">Next page</span>
          </Button>
        </>
      )}
      <span className="ml-auto whitespace-nowrap tabular-nums" aria-live="polite">
        Page {number} of {pages}
      </span>
    </div>
  );
}
