"use client";

import { formatBytes, formatDuration } from "#components/format.ts";
import { toPreviewFile } from "#components/preview/output-file.ts";
import { previewKind } from "#components/preview/preview-file.ts";
import { Button } from "#components/ui/button.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { toResult } from "./result.ts";
import type { Outcome } from "./run-settings.ts";
import type { Setting } from "./settings.ts";

interface SettingCardProps {
  readonly setting: Setting;
  readonly outcome: Outcome;
  readonly onUse: () => void;
}

/** A setting with its result, its numbers and the button that takes it over. */
export function SettingCard({ setting, outcome, onUse }: SettingCardProps) {
  const label = labelOfSetting(setting);
  const result = toResult(setting, outcome);
  return (
    <li className="grid min-w-0 content-start gap-2 rounded-lg border p-3 text-sm">
      <h3 className="truncate font-medium" title={label}>
        {label}
      </h3>
      {outcome.kind === "failed" ? (
        <p className="text-destructive">{outcome.message}</p>
      ) : outcome.kind === "done" ? (
        <Thumbnail outcome={outcome} label={label} />
      ) : (
        <Skeleton className="aspect-[3/2] w-full" />
      )}
      {result ? (
        <>
          <dl className="grid grid-cols-2 gap-x-3 text-xs tabular-nums">
            <dt className="text-muted-foreground">Size</dt>
            <dd className="text-right">{formatBytes(result.bytes)}</dd>
            {result.engineMs !== null && (
              <>
                <dt className="text-muted-foreground">Time</dt>
                <dd className="text-right">{formatDuration(result.engineMs)}</dd>
              </>
            )}
            {result.ssim !== null && (
              <>
                <dt className="text-muted-foreground">SSIM</dt>
                <dd className="text-right">{result.ssim.toFixed(4)}</dd>
              </>
            )}
            {result.lufs !== null && (
              <>
                <dt className="text-muted-foreground">Loudness</dt>
                <dd className="text-right">{result.lufs.toFixed(1)} LUFS</dd>
              </>
            )}
          </dl>
          <Button variant="outline" size="sm" aria-label={`Use this one: ${label}`} onClick={onUse}>
            Use this one
          </Button>
        </>
      ) : (
        outcome.kind !== "failed" && (
          <p className="text-xs text-muted-foreground">
            {outcome.kind === "running" ? "Running…" : "Waiting"}
          </p>
        )
      )}
    </li>
  );
}

/** The values as a text: "avif, 60". */
export function labelOfSetting(setting: Setting): string {
  return Object.entries(setting)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}

function Thumbnail({
  outcome,
  label,
}: {
  readonly outcome: Extract<Outcome, { kind: "done" }>;
  readonly label: string;
}) {
  const [output] = outcome.details.job.outputs;
  if (!output) return null;
  const file = toPreviewFile(output);
  const kind = previewKind(file);
  const classes = "aspect-[3/2] w-full rounded-md bg-secondary object-contain";
  if (kind === "image") {
    return (
      <a href={file.url} target="_blank" rel="noopener" aria-label={`Open the result of ${label}`}>
        <img src={file.url} alt="" loading="lazy" className={classes} />
      </a>
    );
  }
  if (kind === "video") {
    return (
      // biome-ignore lint/a11y/useMediaCaption: the video is a user's file.
      <video src={`${file.url}#t=1`} preload="metadata" controls className={classes} />
    );
  }
  if (kind !== "audio") return null;
  return (
    // biome-ignore lint/a11y/useMediaCaption: the audio is a user's file.
    <audio src={file.url} preload="none" controls className="w-full" />
  );
}
