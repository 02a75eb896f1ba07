import type { ComponentProps } from "react";
import { cn } from "#components/class-names.ts";
import { fieldClasses } from "./input.tsx";

export function Textarea({ className, ...props }: ComponentProps<"textarea">) {
  return <textarea className={cn(fieldClasses, "min-h-20 py-2", className)} {...props} />;
}
