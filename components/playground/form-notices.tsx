import { WrenchIcon } from "lucide-react";
import { NotSetUp } from "#components/catalogue/not-set-up.tsx";
import type { UnavailableOperation } from "#lib/api/job-creation/unavailable-operations.ts";
import type { StartFix } from "./form/form-start.ts";

interface FormNoticesProps {
  /** An operation of the form that this service cannot run. */
  readonly unavailable: UnavailableOperation | undefined;
  readonly isOperator: boolean;
  readonly fix: StartFix | undefined;
}

/** What is known about the form before it is run. */
export function FormNotices({ unavailable, isOperator, fix }: FormNoticesProps) {
  return (
    <>
      {unavailable && <NotSetUp unavailable={unavailable} isOperator={isOperator} />}
      {fix && <FixNotice fix={fix} />}
    </>
  );
}

/** What was corrected in the values that the form started with. */
function FixNotice({ fix: { before, after } }: { fix: StartFix }) {
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
