import { WrenchIcon } from "lucide-react";
import type { StartFix } from "./form/form-start.ts";

/** What was corrected in the values that the form started with. */
export function FixNotice({ fix: { before, after } }: { fix: StartFix }) {
  return (
    <div
      role="status"
      className="flex gap-3 rounded-lg border border-success/40 bg-success/5 p-4 text-sm"
    >
      <WrenchIcon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-success" />
      <div className="grid min-w-0 gap-1.5">
        <p>Corrected. Check the values and the file, then run it.</p>
        <p className="font-mono text-xs break-words whitespace-pre-wrap">
          <del className="text-muted-foreground">{before}</del>
          <span aria-hidden="true"> → </span>
          <ins className="no-underline">{after}</ins>
        </p>
      </div>
    </div>
  );
}
