import { PageSkeleton } from "#components/dashboard/page-skeleton.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

export default function PlaygroundLoading() {
  return (
    <PageSkeleton>
      <div className="grid gap-6 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
        <div className="grid gap-6">
          <Skeleton className="h-20 rounded-lg" />
          <Skeleton className="h-36 rounded-lg" />
          <Skeleton className="h-40 rounded-lg" />
        </div>
        <Skeleton className="h-72 rounded-xl" />
      </div>
    </PageSkeleton>
  );
}
