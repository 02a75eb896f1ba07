import type { ComponentProps } from "react";
import { cn } from "#components/class-names.ts";

export const fieldClasses =
  "w-full min-w-0 rounded-md border border-input bg-card px-3 text-base transition-colors placeholder:text-muted-foreground disabled:cursor-not-allowed disabled:opacity-50 aria-invalid:border-destructive md:text-sm";

export function Input({ className, ...props }: ComponentProps<"input">) {
  return <input className={cn(fieldClasses, "h-9 py-1", className)} {...props} />;
}
