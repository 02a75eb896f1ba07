import { cn } from "#components/class-names.ts";

interface SliderProps {
  readonly "aria-label": string;
  readonly "aria-valuetext"?: string;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  readonly value: number;
  readonly onValueChange: (value: number) => void;
  readonly className?: string;
}

/** The browser's own slider, drawn on a ruled track. `RangeSlider` has several thumbs. */
export function Slider(props: SliderProps) {
  const { min = 0, max = 100, value, onValueChange, className, ...rest } = props;
  const share = max > min ? Math.min(1, Math.max(0, (value - min) / (max - min))) : 0;
  return (
    <div className={cn("relative h-9 w-full", className)}>
      <input
        type="range"
        {...rest}
        min={min}
        max={max}
        value={value}
        onChange={({ target }) => onValueChange(target.valueAsNumber)}
        className="peer absolute inset-0 size-full cursor-pointer opacity-0"
      />
      <div
        aria-hidden="true"
        className="ruler pointer-events-none absolute inset-x-0 top-2.5 h-4 border-b border-input text-muted-foreground"
      >
        <div
          className="absolute -bottom-px h-0.5 bg-brand forced-color-adjust-none"
          style={{ width: `${100 * share}%` }}
        />
      </div>
      <div
        aria-hidden="true"
        // At both ends, the thumb is inside the track, as the invisible thumb of the browser is.
        style={{ left: `calc(${share} * (100% - 1rem))` }}
        className="pointer-events-none absolute top-4 size-4 rounded-sm border-2 border-brand bg-background shadow-sm outline-offset-2 peer-focus-visible:outline-2"
      />
    </div>
  );
}
