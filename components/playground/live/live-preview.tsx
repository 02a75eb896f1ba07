"use client";

import { useState } from "react";
import { cn } from "#components/class-names.ts";
import { formatBytes } from "#components/format.ts";
import { Card, CardContent } from "#components/ui/card.tsx";
import { InlineCode } from "#components/ui/inline-code.tsx";
import { Switch } from "#components/ui/inputs/switch.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { ServedPicture } from "#lib/api/endpoints/live/preview.ts";
import type { FormField, FormOperation, FormValues } from "../form/form-field.ts";
import { providedSources, type Sources } from "../form/source.ts";
import { type TypeCheck, validateForm } from "../form/validate-form.ts";
import { hasCropBox } from "../pick/crop-fields.ts";
import { CropStage } from "./crop-stage.tsx";
import { LivePicture } from "./live-picture.tsx";
import { useLivePreview } from "./use-live-preview.ts";

interface LivePreviewProps {
  readonly operation: FormOperation;
  readonly values: FormValues;
  readonly sources: Sources;
  readonly takes: TypeCheck;
  /** Whether it is small, and stays in view while the fields below it are scrolled. */
  readonly isCompact: boolean;
  readonly onChange: (name: string, value: string) => void;
}

/** Larger files are uploaded for the preview only if that is wanted. */
const automaticBytes = 25_000_000;

/** The largest file that is previewed. */
const maxBytes = 200_000_000;

/** What the operation makes of the file while its parameters change. */
export function LivePreview(props: LivePreviewProps) {
  const { operation, values, sources, takes, isCompact, onChange } = props;
  const [chosen, setChosen] = useState<boolean>();
  const [main] = providedSources(sources, "file", 1);
  const file = main?.kind === "file" ? main.file : undefined;
  const isOn = chosen ?? (file?.size ?? 0) <= automaticBytes;
  const obstacle = obstacleOf(operation, sources);
  // The form itself says what is wrong, once it is run.
  const isValid = validateForm(operation, values, sources, null, takes) === undefined;
  const problem = obstacle ?? (isValid ? undefined : "The preview goes on when the form is valid.");
  const state = useLivePreview(operation, values, file, isOn && problem === undefined);
  // Without a file there is nothing to show yet, and the form says so.
  if (operation.files.length > 0 && !main) return null;
  const message = problem ?? state.message;
  const { picture } = state;
  const isCrop = hasCropBox(operation.fields);
  const shown = picture ? (
    <LivePicture
      picture={picture}
      isStale={message !== undefined}
      className={isCompact ? "max-h-[16vh]" : "max-h-[45vh]"}
      position={isCrop ? undefined : operation.fields.find(isPosition)}
      value={values.position}
      onChange={onChange}
    />
  ) : (
    message === undefined && (
      <Skeleton className={cn("w-full", isCompact ? "h-[16vh]" : "h-[30vh]")} />
    )
  );
  const heading = (
    <div className="flex items-center justify-between gap-3">
      <h2 className="text-sm font-medium">Live preview</h2>
      <Switch
        aria-label="Live preview"
        checked={isOn && obstacle === undefined}
        disabled={obstacle !== undefined}
        onCheckedChange={setChosen}
      />
    </div>
  );
  const text = isOn ? (
    <p className="min-h-5 text-sm text-muted-foreground tabular-nums" aria-live="polite">
      {message ? (
        <InlineCode text={message} />
      ) : state.isUploading ? (
        "Uploading the file for the preview…"
      ) : (
        picture && <Numbers picture={picture} />
      )}
    </p>
  ) : (
    file && (
      <p className="text-sm text-muted-foreground">
        {`For a preview while you change parameters, the file of ${formatBytes(file.size)} is uploaded, and deleted ten minutes after the last preview. It does not count toward your usage.`}
      </p>
    )
  );
  if (isCompact) {
    return (
      <Card
        aria-label="Live preview"
        data-top-bar={isOn ? "" : undefined}
        className={cn(
          "z-20 flex items-center gap-3 p-3",
          // Low windows have no room for it.
          isOn && "top-16 [@media(min-height:34rem)]:sticky",
        )}
      >
        {isOn && shown && <div className="w-1/2 max-w-60 shrink-0">{shown}</div>}
        <div className="grid min-w-0 flex-1 gap-2">
          {heading}
          {text}
        </div>
      </Card>
    );
  }
  return (
    <Card aria-label="Live preview" className="min-w-0">
      <CardContent className="grid gap-3">
        {heading}
        {isCrop ? (
          <CropStage values={values} result={isOn && shown} onChange={onChange} />
        ) : (
          isOn && shown
        )}
        {text}
      </CardContent>
    </Card>
  );
}

const isPosition = ({ name, control }: FormField) =>
  name === "position" && control.kind === "position";

function Numbers({ picture }: { readonly picture: ServedPicture }) {
  const { width, height, bytes, is_approximate: isApproximate } = picture;
  const facts = [
    ...(width && height ? [`${width} × ${height}`] : []),
    ...(bytes === null ? [] : [`about ${formatBytes(bytes)}`]),
  ];
  return (
    <>
      {facts.length > 0 && <span>Full result: {facts.join(", ")}. </span>}
      {isApproximate && <span>The effect is stronger here than in the full result.</span>}
    </>
  );
}

/** Why these files cannot be previewed. */
function obstacleOf({ files }: FormOperation, sources: Sources): string | undefined {
  const further = files.filter(({ part }) => part !== "file");
  const given = further.find(({ part, count }) => providedSources(sources, part, count.max).length);
  if (given) return `There is no live preview with \`${given.part}\`.`;
  const [main] = providedSources(sources, "file", 1);
  if (main?.kind === "url") return "For a live preview, choose a file instead of a URL.";
  if (main && main.file.size > maxBytes) {
    return `Files of more than ${formatBytes(maxBytes)} have no live preview.`;
  }
  return undefined;
}
