import type { ComponentProps } from "react";
import { cn } from "#components/class-names.ts";

/** Requires `htmlFor`, or a control in its children. */
export function Label({ className, ...props }: ComponentProps<"label">) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the caller passes the control.
    <label
      className={cn("flex items-center gap-2 text-sm leading-none font-medium", className)}
      {...props}
    />
  );
}
