import { cn } from "#components/class-names.ts";

/** The bars of the sign: the M of Mediamill as a wave form that stands on the ruler. */
const bars = [18, 11, 6, 11, 18] as const;

/** The sign alone; decorative, so name what holds it. */
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

/** Sign and name. */
export function Logo({ className }: { className?: string }) {
  return (
    <span className={cn("inline-flex items-center gap-2 font-semibold tracking-tight", className)}>
      <Mark />
      Mediamill
    </span>
  );
}
