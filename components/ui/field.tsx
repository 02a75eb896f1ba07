import type { ReactNode } from "react";
import { useId } from "react";
import { cn } from "#components/class-names.ts";
import { Label } from "./label.tsx";

interface FieldProps {
  readonly label: ReactNode;
  /** What to enter, under the label. */
  readonly hint?: ReactNode;
  /** What is wrong with what was entered, and what to do. */
  readonly error?: string | undefined;
  readonly className?: string;
  /** Draws the control; spread what it is given on it. */
  readonly children: (control: {
    readonly id: string;
    readonly "aria-describedby": string | undefined;
    readonly "aria-invalid": true | undefined;
  }) => ReactNode;
}

/** A labelled control with its hint and its error, tied together for screen readers. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId();
  const notes = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={cn("grid gap-2", className)}>
      <Label htmlFor={id}>{label}</Label>
      {children({
        id,
        "aria-describedby": notes === "" ? undefined : notes,
        "aria-invalid": error ? true : undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted-foreground">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-sm text-destructive" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
