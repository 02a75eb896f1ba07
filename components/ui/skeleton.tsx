import type { ComponentProps } from "react";
import { cn } from "#components/class-names.ts";

/** Holds the place of what is being loaded. */
export function Skeleton({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      aria-hidden="true"
      className={cn("animate-pulse rounded-md bg-accent", className)}
      {...props}
    />
  );
}
