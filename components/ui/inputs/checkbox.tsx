import type { ComponentProps } from "react";
import { cn } from "#components/class-names.ts";

/** The native checkbox in the brand color. */
export function Checkbox({ className, ...props }: Omit<ComponentProps<"input">, "type">) {
  return <input type="checkbox" className={cn("size-4 accent-brand", className)} {...props} />;
}
