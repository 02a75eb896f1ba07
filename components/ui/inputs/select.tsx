import { ChevronDownIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "#components/class-names.ts";
import { fieldClasses } from "./input.tsx";

/** The native select in the style of the other fields. It works without scripts, and phones use their own picker. */
export function Select({ className, children, ...props }: ComponentProps<"select">) {
  return (
    <span className={cn("relative inline-grid w-full items-center", className)}>
      <select className={cn(fieldClasses, "h-9 appearance-none py-1 pr-8")} {...props}>
        {children}
      </select>
      <ChevronDownIcon
        aria-hidden="true"
        className="pointer-events-none absolute right-2.5 size-4 text-muted-foreground"
      />
    </span>
  );
}
