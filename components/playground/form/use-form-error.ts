import { type RefObject, useEffect, useState } from "react";
import type { FormError } from "./form-error.ts";

/** What is wrong with a form: one error at a time. */
export interface ShownError {
  readonly error: FormError | undefined;
  readonly set: (error: FormError | undefined) => void;
  /** Removes the error of a field, which was changed. */
  readonly clear: (field: string) => void;
  /** The message at a field of a step. */
  readonly of: (field: string, step: number) => string | undefined;
}

/** Keeps the error of a form, and moves the focus to its field. */
export function useFormError(
  form: RefObject<HTMLFormElement | null>,
  initialError: () => FormError | undefined,
): ShownError {
  const [error, set] = useState(initialError);
  // After the error is rendered, its field gets the focus.
  useEffect(() => {
    if (!error || error.keepsFocus) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true], [role=alert]")?.focus();
  }, [error, form]);
  return {
    error,
    set,
    clear: (field) => set((before) => (before?.field === field ? undefined : before)),
    of: (field, step) =>
      error?.field === field && (error.step ?? 0) === step ? error.message : undefined,
  };
}
