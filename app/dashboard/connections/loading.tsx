import { PageSkeleton } from "#components/dashboard/page-skeleton.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

export default function ConnectionsLoading() {
  return (
    <PageSkeleton>
      <Skeleton className="h-72 rounded-xl" />
    </PageSkeleton>
  );
}
