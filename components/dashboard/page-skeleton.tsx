import type { ReactNode } from "react";
import { Skeleton } from "#components/ui/skeleton.tsx";

/** The placeholder of a dashboard page that is loading. `children` are the placeholders of its content. */
export function PageSkeleton({ children }: { children: ReactNode }) {
  return (
    <div role="status" aria-label="Loading" className="grid gap-6">
      <div>
        <Skeleton className="h-8 w-48" />
        <Skeleton className="mt-2 h-4 w-72 max-w-full" />
        <div aria-hidden="true" className="ruler mt-4 h-2 border-b text-input" />
      </div>
      {children}
    </div>
  );
}
