import { ServerOffIcon } from "lucide-react";
import { cn } from "#components/class-names.ts";
import { TimeAgo } from "#components/ui/time-ago.tsx";

interface RunnersMissingProps {
  /** When the last runner was seen, RFC 3339; null if it is not known. */
  readonly since: string | null;
  /** The time of the page, RFC 3339. */
  readonly now: string;
  readonly className?: string;
}

/** Says that no job is run, why, and that none is lost. */
export function RunnersMissing({ since, now, className }: RunnersMissingProps) {
  return (
    <p
      role="status"
      className={cn(
        "flex items-start gap-3 rounded-lg border border-destructive/40 bg-destructive/5 p-4 text-sm",
        className,
      )}
    >
      <ServerOffIcon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-destructive" />
      <span>
        <strong className="font-medium">Jobs wait: no runner is connected.</strong>{" "}
        {since !== null && (
          <>
            The last one was seen <TimeAgo time={since} now={now} />.{" "}
          </>
        )}
        New jobs are accepted. None is lost, and they start by themselves.
      </span>
    </p>
  );
}
