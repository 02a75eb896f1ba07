import { PageSkeleton } from "#components/dashboard/page-skeleton.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

export default function DashboardLoading() {
  return (
    <PageSkeleton>
      <Skeleton className="h-40 rounded-xl" />
      <Skeleton className="h-64 rounded-xl" />
    </PageSkeleton>
  );
}
