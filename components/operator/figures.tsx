import type { ReactNode } from "react";

/** Named numbers in a grid. */
export function Figures({ figures }: { figures: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border bg-border lg:grid-cols-4">
      {figures.map(([label, value]) => (
        <div key={label} className="flex flex-col-reverse justify-end gap-1 bg-card p-5">
          <dt className="text-sm text-muted-foreground">{label}</dt>
          <dd className="text-xl font-semibold tracking-tight wrap-anywhere tabular-nums">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
