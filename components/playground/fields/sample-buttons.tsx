"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast.ts";
import type { SampleFile } from "./form-field.ts";
import { loadFile } from "./source.ts";

interface SampleButtonsProps {
  readonly samples: readonly SampleFile[];
  readonly onLoad: (file: File) => void;
  /** Called with true when a sample starts to load, and with false when it has ended. */
  readonly onBusy: (isBusy: boolean) => void;
}

/** Buttons that load one of the site's sample files. */
export function SampleButtons({ samples, onLoad, onBusy }: SampleButtonsProps) {
  const [loading, setLoading] = useState<string>();
  if (samples.length === 0) return null;

  async function load({ name, url }: SampleFile) {
    setLoading(name);
    onBusy(true);
    try {
      onLoad(await loadFile(url, name));
    } catch {
      toast.error("The sample could not be loaded. Try again, or use your own file.");
      setLoading(undefined);
    } finally {
      onBusy(false);
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-1.5 text-xs text-muted-foreground">
      No file at hand? Try
      {samples.map((sample) => (
        <Button
          key={sample.name}
          variant="secondary"
          size="sm"
          className="h-7 px-2 font-mono text-xs text-foreground"
          disabled={loading !== undefined}
          onClick={() => load(sample)}
        >
          {sample.name}
        </Button>
      ))}
    </div>
  );
}
