"use client";

import { LoaderCircleIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { useFormStatus } from "react-dom";
import { Button } from "#components/ui/button.tsx";

/** Sends its form; while that is under way it says so, and cannot be pressed again. */
export function SubmitButton({ children, ...props }: ComponentProps<typeof Button>) {
  const { pending } = useFormStatus();
  return (
    <Button type="submit" aria-disabled={pending} {...props}>
      {pending && <LoaderCircleIcon aria-hidden="true" className="animate-spin" />}
      {children}
    </Button>
  );
}
