import type { ReactNode } from "react";
import { useId } from "react";
import { cn } from "#components/class-names.ts";
import { InlineCode } from "../inline-code.tsx";
import { Label } from "./label.tsx";

interface FieldProps {
  readonly label: ReactNode;
  /** What to enter; shown under the control. */
  readonly hint?: ReactNode;
  /** What is wrong with the value, and what to do. Text in backticks is shown as code. */
  readonly error?: string | undefined;
  readonly className?: string;
  /** Renders the control; spread the argument on it. */
  readonly children: (control: {
    readonly id: string;
    readonly "aria-describedby": string | undefined;
    readonly "aria-invalid": true | undefined;
  }) => ReactNode;
}

/** A labeled control with its hint and its error, associated for screen readers. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId();
  const descriptions = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={cn("grid gap-2", className)}>
      <Label htmlFor={id}>{label}</Label>
      {children({
        id,
        "aria-describedby": descriptions === "" ? undefined : descriptions,
        "aria-invalid": error ? true : undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted-foreground">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-sm text-destructive" role="alert">
          <InlineCode text={error} />
        </p>
      )}
    </div>
  );
}
