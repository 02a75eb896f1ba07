import { Badge } from "#components/ui/badge.tsx";
import { InlineCode } from "#components/ui/inline-code.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import type { ConnectionView } from "./connection-view.ts";

interface TestResultProps {
  readonly view: ConnectionView;
  /** When the server rendered the page, RFC 3339. */
  readonly now: string;
  readonly isRunning: boolean;
}

/** What the last test of a connection found, and when. */
export function TestResult({ view: { testedAt, testError }, now, isRunning }: TestResultProps) {
  if (isRunning) return <Badge variant="info">Testing…</Badge>;
  if (testedAt === null) return <Badge>Not tested</Badge>;
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge variant={testError === null ? "success" : "destructive"}>
          {testError === null ? "Works" : "Failed"}
        </Badge>
        <span className="text-xs text-muted-foreground">
          <TimeAgo time={testedAt} now={now} />
        </span>
      </div>
      {testError !== null && (
        <p className="text-xs wrap-anywhere whitespace-normal">
          <InlineCode text={testError} />
        </p>
      )}
    </div>
  );
}
