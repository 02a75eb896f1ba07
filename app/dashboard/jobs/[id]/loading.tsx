import { PageSkeleton } from "#components/dashboard/page-skeleton.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

export default function JobLoading() {
  return (
    <PageSkeleton>
      <Skeleton className="h-40 rounded-xl" />
      <Skeleton className="h-96 rounded-xl" />
      <div className="grid gap-6 lg:grid-cols-2">
        <Skeleton className="h-40 rounded-xl" />
        <Skeleton className="h-40 rounded-xl" />
      </div>
    </PageSkeleton>
  );
}
