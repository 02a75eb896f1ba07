import { PowerOffIcon } from "lucide-react";
import Link from "next/link";
import { cn } from "#components/class-names.ts";
import { Badge } from "#components/ui/badge.tsx";
import type { UnavailableOperation } from "#lib/api/job-creation/unavailable-operations.ts";

/** In a list: this installation cannot run the operation. */
export function NotSetUpBadge() {
  return (
    <Badge variant="outline" className="mt-2">
      <PowerOffIcon aria-hidden="true" />
      Not set up on this service
    </Badge>
  );
}

interface NotSetUpProps {
  readonly unavailable: UnavailableOperation;
  /** Whether the reader can change it. The note then says how. */
  readonly isOperator?: boolean;
  readonly className?: string;
}

/** On the page of an operation that this installation cannot run: why, and who can change it. */
export function NotSetUp({ unavailable, isOperator = false, className }: NotSetUpProps) {
  const { variable, message } = unavailable;
  return (
    <div
      role="note"
      className={cn(
        "flex gap-3 rounded-lg border border-warning/40 bg-warning/5 p-4 text-sm",
        className,
      )}
    >
      <PowerOffIcon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
      <div className="grid gap-1">
        <p className="font-medium">Not set up on this service</p>
        {isOperator ? <ForOperators variable={variable} message={message} /> : <ForOthers />}
      </div>
    </div>
  );
}

function ForOthers() {
  return (
    <p className="text-muted-foreground">
      Requests to this operation get status 503. Ask the operator of this service to set it up.
    </p>
  );
}

function ForOperators({ variable, message }: Omit<UnavailableOperation, "id">) {
  if (variable === null) {
    return (
      <p className="text-muted-foreground">
        {message}{" "}
        <Link href="/dashboard/operator/runners" className="underline underline-offset-4">
          Show the runners
        </Link>
      </p>
    );
  }
  return (
    <p className="text-muted-foreground">
      Set <code className="font-mono text-xs">{variable}</code> to the URL of the server that it
      needs, and restart the service.{" "}
      <Link href="/docs/self-hosting#transcription" className="underline underline-offset-4">
        How to set it up
      </Link>
    </p>
  );
}
