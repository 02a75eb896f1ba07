import type { ReactNode } from "react";
import { Skeleton } from "#components/ui/skeleton.tsx";

/** The head of a page that is being made, on the ruler as the page's own will be; `children` hold its body's place. */
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
