import { cn } from "#components/class-names.ts";
import type { ControlProps } from "./control-props.ts";

type PositionFieldProps = ControlProps & { readonly options: readonly string[] };

/** One of nine positions in a frame, as a grid of radio buttons. */
export function PositionField({
  field,
  options,
  value,
  onChange,
  id,
  ...rest
}: PositionFieldProps) {
  const chosen = value === "" ? field.initial : value;
  return (
    <div
      id={id}
      role="radiogroup"
      aria-label={field.name}
      {...rest}
      className="flex items-center gap-4"
    >
      <div className="grid aspect-[3/2] w-36 shrink-0 grid-cols-3 overflow-hidden rounded-md border border-input bg-card">
        {options.map((option) => (
          <label
            key={option}
            title={option}
            className="group relative grid place-items-center has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-brand hover:bg-accent"
          >
            <input
              type="radio"
              name={id}
              value={option}
              aria-label={option}
              checked={option === chosen}
              onChange={() => onChange(option)}
              className="absolute inset-0 size-full cursor-pointer appearance-none opacity-0"
            />
            <span
              aria-hidden="true"
              className={cn(
                "pointer-events-none rounded-xs transition-all forced-color-adjust-none",
                option === chosen
                  ? "h-2.5 w-6 bg-brand"
                  : "size-1.5 bg-input group-hover:bg-foreground",
              )}
            />
          </label>
        ))}
      </div>
      <span aria-hidden="true" className="font-mono text-xs text-muted-foreground">
        {chosen}
      </span>
    </div>
  );
}
