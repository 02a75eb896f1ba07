import { PageSkeleton } from "#components/dashboard/page-skeleton.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

export default function JobsLoading() {
  return (
    <PageSkeleton>
      <Skeleton className="h-14 rounded-lg" />
      <div className="grid gap-px overflow-hidden rounded-xl border">
        {Array.from({ length: 8 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows that are all the same.
          <Skeleton key={index} className="h-14 rounded-none" />
        ))}
      </div>
    </PageSkeleton>
  );
}
