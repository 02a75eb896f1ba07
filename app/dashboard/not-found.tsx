import { CompassIcon } from "lucide-react";
import Link from "next/link";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

/** For pages that do not exist and for what is another account's: nobody is told which it is. */
export default function DashboardNotFound() {
  return (
    <>
      <PageHeader title="Not found" />
      <Card>
        <EmptyState
          icon={CompassIcon}
          title="There is nothing here"
          action={
            <Button asChild>
              <Link href="/dashboard">Go to the overview</Link>
            </Button>
          }
        >
          The address may be mistyped, or what was here has been deleted.
        </EmptyState>
      </Card>
    </>
  );
}
