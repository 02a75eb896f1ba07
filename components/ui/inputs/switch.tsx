import type { ComponentProps } from "react";
import { cn } from "#components/class-names.ts";

type SwitchProps = Omit<ComponentProps<"button">, "type" | "role" | "onClick"> & {
  readonly checked: boolean;
  readonly onCheckedChange: (checked: boolean) => void;
};

/** A setting that is on or off. */
export function Switch({ className, checked, onCheckedChange, ...props }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      onClick={() => onCheckedChange(!checked)}
      className={cn(
        "group inline-flex h-5 forced-color-adjust-none w-9 shrink-0 items-center rounded-full border-2 border-transparent bg-input transition-colors disabled:opacity-50 aria-checked:bg-brand",
        className,
      )}
      {...props}
    >
      <span className="block size-4 rounded-full bg-background transition-transform group-aria-checked:translate-x-4" />
    </button>
  );
}
