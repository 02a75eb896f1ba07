"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import type { SampleFile } from "../form/form-field.ts";
import { loadFile } from "../form/source.ts";

interface SampleButtonsProps {
  readonly samples: readonly SampleFile[];
  /** Files that one button loads together. */
  readonly set?: readonly SampleFile[];
  readonly onLoad: (files: readonly File[]) => void;
  /**
   * The function that is called with true when samples start to load, and with false when this has
   * ended.
   */
  readonly onBusy: (isBusy: boolean) => void;
}

/** Buttons that load the site's sample files. */
export function SampleButtons({ samples, set = [], onLoad, onBusy }: SampleButtonsProps) {
  const [loading, setLoading] = useState(false);
  const buttons = [
    ...(set.length > 0 ? [{ label: `${set.length} sample files`, files: set }] : []),
    ...samples.map((sample) => ({ label: sample.name, files: [sample] })),
  ];
  if (buttons.length === 0) return null;

  async function load(files: readonly SampleFile[]) {
    setLoading(true);
    onBusy(true);
    try {
      onLoad(await Promise.all(files.map(({ name, url }) => loadFile(url, name))));
    } catch {
      toast.error("The sample could not be loaded. Try again, or use your own file.");
    } finally {
      setLoading(false);
      onBusy(false);
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-1.5 text-xs text-muted-foreground">
      No file at hand? Try
      {buttons.map(({ label, files }) => (
        <Button
          key={label}
          variant="secondary"
          size="sm"
          className="h-7 px-2 font-mono text-xs text-foreground"
          disabled={loading}
          onClick={() => load(files)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
