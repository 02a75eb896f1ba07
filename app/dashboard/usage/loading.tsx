import { PageSkeleton } from "#components/dashboard/page-skeleton.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

export default function UsageLoading() {
  return (
    <PageSkeleton>
      <Skeleton className="h-16 rounded-lg" />
      <Skeleton className="h-48 rounded-xl" />
      <Skeleton className="h-72 rounded-xl" />
    </PageSkeleton>
  );
}
