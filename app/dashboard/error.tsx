"use client";

import { CircleAlertIcon } from "lucide-react";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

interface DashboardErrorProps {
  readonly error: Error & { digest?: string };
  readonly reset: () => void;
}

/** What stands in the dashboard's middle when a page could not be made; the navigation stays. */
export default function DashboardError({ error, reset }: DashboardErrorProps) {
  return (
    <>
      <PageHeader title="Something failed" />
      <Card role="alert">
        <EmptyState
          icon={CircleAlertIcon}
          title="This page could not be loaded"
          action={<Button onClick={reset}>Try again</Button>}
        >
          Something failed on our side; nothing of yours was lost, and your jobs go on.
          {error.digest && (
            <>
              {" "}
              If it stays, tell the operator this code: <code>{error.digest}</code>
            </>
          )}
        </EmptyState>
      </Card>
    </>
  );
}
