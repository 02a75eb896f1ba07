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

/** The page of the dashboard that is shown if rendering failed. The navigation stays usable. */
export default function DashboardError({ error, reset }: DashboardErrorProps) {
  return (
    <>
      <PageHeader title="Something went wrong" />
      <Card role="alert">
        <EmptyState
          icon={CircleAlertIcon}
          title="This page could not be loaded"
          action={<Button onClick={reset}>Try again</Button>}
        >
          The service failed to load this page. Your files and jobs are not affected.
          {error.digest && (
            <>
              {" "}
              If this happens again, send this code to the operator: <code>{error.digest}</code>
            </>
          )}
        </EmptyState>
      </Card>
    </>
  );
}
