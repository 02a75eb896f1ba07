import { PageSkeleton } from "#components/dashboard/page-skeleton.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

export default function RequestsLoading() {
  return (
    <PageSkeleton>
      <Skeleton className="h-32 rounded-lg" />
      <Skeleton className="h-96 rounded-xl" />
    </PageSkeleton>
  );
}
