"use client";

import { Suspense } from "react";
import { lazyPart } from "#components/ui/loading/lazy-part.tsx";
import type { FormOperation, FormValues } from "../form/form-field.ts";
import { providedSources, type Sources } from "../form/source.ts";
import type { TypeCheck } from "../form/validate-form.ts";
import { canCompare } from "./can-compare.ts";
import type { Setting } from "./settings.ts";

// Not every operation has one of them.
const LivePreview = lazyPart(() =>
  import("../live/live-preview.tsx").then((module) => module.LivePreview),
);
const ComparePanel = lazyPart(() =>
  import("./compare-panel.tsx").then((module) => module.ComparePanel),
);

interface LiveToolProps {
  readonly operation: FormOperation;
  readonly values: FormValues;
  readonly sources: Sources;
  readonly takes: TypeCheck;
  /** Whether it is among the fields of a narrow form, and stays in view while they are scrolled. */
  readonly isCompact: boolean;
  readonly onChange: (name: string, value: string) => void;
}

/** The live preview, for an operation that has one. */
export function LiveTool({ operation, sources, ...rest }: LiveToolProps) {
  const [main] = providedSources(sources, "file", 1);
  const hasInput = main !== undefined || operation.files.length === 0;
  if (!operation.isLive || !hasInput) return null;
  return (
    <Suspense>
      <LivePreview operation={operation} sources={sources} {...rest} />
    </Suspense>
  );
}

interface CompareToolProps {
  readonly operation: FormOperation;
  readonly values: FormValues;
  readonly sources: Sources;
  /** Fills the form with the values of a compared setting. */
  readonly onUse: (setting: Setting) => void;
  readonly onClose: () => void;
}

/** The comparison of settings, for an operation and a file that have one. */
export function CompareTool({ operation, values, sources, onUse, onClose }: CompareToolProps) {
  const [main] = providedSources(sources, "file", 1);
  if (main?.kind !== "file" || !canCompare(operation, sources)) return null;
  return (
    <Suspense>
      <ComparePanel
        key={operation.id}
        operation={operation}
        values={values}
        file={main.file}
        onUse={onUse}
        onClose={onClose}
      />
    </Suspense>
  );
}
