"use client";

import { LoaderCircleIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { useFormStatus } from "react-dom";
import { Button } from "#components/ui/button.tsx";

/** Submits its form. It shows a spinner and is disabled until the action finishes. */
export function SubmitButton({ children, ...props }: ComponentProps<typeof Button>) {
  const { pending } = useFormStatus();
  return (
    <Button type="submit" aria-disabled={pending} {...props}>
      {pending && <LoaderCircleIcon aria-hidden="true" className="animate-spin" />}
      {children}
    </Button>
  );
}
