import { CompassIcon } from "lucide-react";
import Link from "next/link";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

/**
 * The page for URLs that do not exist and for items of other accounts. The text is the same for
 * both.
 */
export default function DashboardNotFound() {
  return (
    <>
      <PageHeader title="Not found" />
      <Card>
        <EmptyState
          icon={CompassIcon}
          title="Page not found"
          action={
            <Button asChild>
              <Link href="/dashboard">Go to overview</Link>
            </Button>
          }
        >
          Check the URL. The page may have been deleted.
        </EmptyState>
      </Card>
    </>
  );
}
