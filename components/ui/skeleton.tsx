import type { ComponentProps } from "react";
import { cn } from "#components/class-names.ts";

/** Reserves the space of content that is loading. */
export function Skeleton({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      aria-hidden="true"
      className={cn("animate-pulse rounded-md bg-accent", className)}
      {...props}
    />
  );
}
