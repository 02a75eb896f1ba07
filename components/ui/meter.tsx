import { cn } from "#components/class-names.ts";

interface MeterProps {
  /** What is measured, for screen readers. */
  readonly label: string;
  /** 0 to 100; values outside are clamped. */
  readonly percent: number;
  /** The value as text, such as "1.2 of 25 GB". */
  readonly text?: string;
  /** A second, lighter bar for a projected value; 0 to 100. */
  readonly projected?: number | undefined;
  readonly tone?: "brand" | "warning" | "destructive" | "success";
  readonly className?: string;
}

const tones = {
  brand: "bg-brand forced-color-adjust-none",
  warning: "bg-warning forced-color-adjust-none",
  destructive: "bg-destructive forced-color-adjust-none",
  success: "bg-success forced-color-adjust-none",
} as const;

/** A progress bar on a ruled background. */
export function Meter({ label, percent, text, projected, tone = "brand", className }: MeterProps) {
  const width = Math.min(100, Math.max(0, percent));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.round(width)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={text}
      className={cn(
        "ruler relative h-5 overflow-hidden border-b border-input text-muted-foreground",
        className,
      )}
    >
      {projected !== undefined && (
        <div
          className={cn("absolute bottom-0 left-0 h-1.5 opacity-30", tones[tone])}
          style={{ width: `${Math.min(100, Math.max(0, projected))}%` }}
        />
      )}
      <div
        className={cn(
          "absolute bottom-0 left-0 h-1.5 transition-[width] duration-300",
          tones[tone],
        )}
        style={{ width: `${width}%` }}
      />
    </div>
  );
}
