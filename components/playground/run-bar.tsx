import { Columns3Icon, PlayIcon } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { CodeButton } from "./code-button.tsx";
import type { FilledForm } from "./steps/snippet-request.ts";

interface RunBarProps {
  readonly label: string;
  readonly isBlocked: boolean;
  readonly form: FilledForm;
  /** Opens the comparison of settings; undefined if the form has nothing to compare. */
  readonly onCompare: (() => void) | undefined;
}

/** The button that runs the form, which stays in view, and the form as code. */
export function RunBar({ label, isBlocked, form, onCompare }: RunBarProps) {
  return (
    <div
      data-bottom-bar=""
      className="sticky bottom-0 z-10 flex flex-wrap gap-2 border-t bg-background py-4 max-sm:[&>button]:px-2.5"
    >
      {/* Disabled, it would lose the focus of the keyboard. */}
      <Button type="submit" variant="brand" aria-disabled={isBlocked}>
        <PlayIcon aria-hidden="true" />
        {label}
      </Button>
      <CodeButton {...form} />
      {onCompare && (
        <Button variant="outline" onClick={onCompare}>
          <Columns3Icon aria-hidden="true" />
          Compare
        </Button>
      )}
    </div>
  );
}
