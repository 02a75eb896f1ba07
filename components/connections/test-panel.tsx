"use client";

import { LoaderCircleIcon } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { Message } from "#components/forms/message.tsx";
import { Button } from "#components/ui/button.tsx";
import { InlineCode } from "#components/ui/inline-code.tsx";
import type { ConnectionTest } from "./actions.ts";
import { notTested } from "./use-connection-test.ts";

interface TestPanelProps {
  readonly test: () => Promise<ConnectionTest>;
  /** Whether the first test starts by itself. */
  readonly startsAtOnce: boolean;
}

/** Tests a connection and shows the result. */
export function TestPanel({ test, startsAtOnce }: TestPanelProps) {
  const [result, setResult] = useState<ConnectionTest | "running">();
  const run = async () => {
    setResult("running");
    setResult(await test().catch(() => notTested));
  };
  const runFirst = useEffectEvent(() => void (startsAtOnce && run()));
  useEffect(() => runFirst(), []);
  if (result === "running") {
    return (
      <p role="status" className="flex items-center gap-2 text-sm text-muted-foreground">
        <LoaderCircleIcon aria-hidden="true" className="size-4 animate-spin" />
        Testing the connection…
      </p>
    );
  }
  return (
    <div className="grid justify-items-start gap-3">
      {result?.ok && <Message kind="success">The connection works.</Message>}
      {result && !result.ok && (
        <Message kind="error">
          <InlineCode text={result.error ?? ""} />
        </Message>
      )}
      {!result?.ok && (
        <Button variant="outline" size="sm" onClick={run}>
          {result ? "Test again" : "Test connection"}
        </Button>
      )}
    </div>
  );
}
