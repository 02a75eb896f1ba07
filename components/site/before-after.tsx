"use client";

import { type CSSProperties, useState } from "react";
import { SampleImage } from "#components/samples/sample-image.tsx";
import type { SampleFile } from "#components/samples/samples.ts";

interface Side {
  readonly file: SampleFile;
  readonly label: string;
}

/** Two images of the same size on top of each other, with a slider that moves the divider between them. */
export function BeforeAfter({ before, after }: { before: Side; after: Side }) {
  const [divider, setDivider] = useState(50);
  // React's style type has no custom properties.
  const style = { "--divider": `${divider}%` } as CSSProperties;
  return (
    <figure className="overflow-hidden rounded-lg border bg-card has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2">
      <div className="relative" style={style}>
        <SampleImage file={before.file} alt={before.label} loading="lazy" className="w-full" />
        <SampleImage
          file={after.file}
          alt={after.label}
          loading="lazy"
          className="absolute inset-0 size-full [clip-path:inset(0_0_0_var(--divider))]"
        />
        <div
          aria-hidden="true"
          className="absolute inset-y-0 left-(--divider) w-0.5 -translate-x-1/2 bg-white shadow"
        />
        <input
          type="range"
          min={0}
          max={100}
          value={divider}
          onChange={(event) => setDivider(event.target.valueAsNumber)}
          aria-label="Position of the divider between the images, in percent"
          className="absolute inset-0 size-full cursor-ew-resize appearance-none opacity-0"
        />
      </div>
      <figcaption className="flex justify-between border-t px-3 py-2 text-xs text-muted-foreground">
        <span>{before.label}</span>
        <span>{after.label}</span>
      </figcaption>
    </figure>
  );
}
