import { cn } from "#components/class-names.ts";

/** Heights of the logo's bars: an M in the form of a waveform. */
const bars = [18, 11, 6, 11, 18] as const;

/** The icon without the name. It is decorative: label the element that contains it. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={cn("size-6", className)}>
      {bars.map((height, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change.
          key={index}
          x={2.4 + index * 4.2}
          y={index === 2 ? 9 : 3}
          width="2.4"
          height={index === 2 ? 12 : height}
          rx="1.2"
          fill={index === 2 ? "var(--brand)" : "currentColor"}
        />
      ))}
    </svg>
  );
}

/** The icon with the name. */
export function Logo({ className }: { className?: string }) {
  return (
    <span className={cn("inline-flex items-center gap-2 font-semibold tracking-tight", className)}>
      <Mark />
      Mediamill
    </span>
  );
}
