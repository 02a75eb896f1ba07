"use client";

import { LoaderCircleIcon } from "lucide-react";
import type { ComponentProps, MouseEvent } from "react";
import { useFormStatus } from "react-dom";
import { Button } from "#components/ui/button.tsx";

/**
 * Submits its form. It shows a spinner and is disabled until the action finishes. It keeps the focus, so it is clicked
 * when Enter is pressed again, also in a field: the action would run once more for each time.
 */
export function SubmitButton({ children, ...props }: ComponentProps<typeof Button>) {
  const { pending } = useFormStatus();
  const skipWhilePending = (event: MouseEvent) => {
    if (pending) event.preventDefault();
  };
  return (
    <Button type="submit" aria-disabled={pending} onClick={skipWhilePending} {...props}>
      {pending && <LoaderCircleIcon aria-hidden="true" className="animate-spin" />}
      {children}
    </Button>
  );
}
