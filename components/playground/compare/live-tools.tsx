"use client";

import { lazy, Suspense } from "react";
import type { FormOperation, FormValues } from "../form/form-field.ts";
import { providedSources, type Sources } from "../form/source.ts";
import type { TypeCheck } from "../form/validate-form.ts";
import { canCompare } from "./can-compare.ts";
import type { Setting } from "./settings.ts";

// Not every operation has one of them.
const LivePreview = lazy(async () => ({
  default: (await import("../live/live-preview.tsx")).LivePreview,
}));
const ComparePanel = lazy(async () => ({
  default: (await import("./compare-panel.tsx")).ComparePanel,
}));

interface LiveToolsProps {
  readonly operation: FormOperation;
  readonly values: FormValues;
  readonly sources: Sources;
  readonly takes: TypeCheck;
  readonly isComparing: boolean;
  /** Fills the form with the values of a compared setting. */
  readonly onUse: (setting: Setting) => void;
  readonly onStopComparing: () => void;
}

/** The live preview of one operation, and the comparison of its settings. */
export function LiveTools(props: LiveToolsProps) {
  const { operation, values, sources, takes, isComparing, onUse, onStopComparing } = props;
  const [main] = providedSources(sources, "file", 1);
  const hasInput = main !== undefined || operation.files.length === 0;
  return (
    <>
      {isComparing && main?.kind === "file" && canCompare(operation, sources) && (
        <Suspense>
          <ComparePanel
            key={operation.id}
            operation={operation}
            values={values}
            file={main.file}
            onUse={onUse}
            onClose={onStopComparing}
          />
        </Suspense>
      )}
      {operation.isLive && hasInput && (
        <Suspense>
          <LivePreview operation={operation} values={values} sources={sources} takes={takes} />
        </Suspense>
      )}
    </>
  );
}
