"use client";

import { cn } from "#components/class-names.ts";
import { isEnded } from "#components/dashboard/merge-jobs.ts";
import { formatDuration } from "#components/format.ts";
import type { JobStatus } from "#lib/db/schema/job-statuses.ts";
import type { JobPhase, PhaseName } from "#lib/jobs/view/phases.ts";
import { ticksOf } from "./ticks.ts";

const looks: Readonly<Record<PhaseName, { readonly label: string; readonly bar: string }>> = {
  queued: { label: "Queued", bar: "bg-input" },
  fetching: { label: "Fetching", bar: "bg-chart-2" },
  waiting: { label: "Waiting for an engine", bar: "bg-input" },
  working: { label: "Working", bar: "bg-brand" },
  storing: { label: "Storing", bar: "bg-chart-3" },
};

interface TimelineProps {
  readonly phases: readonly JobPhase[];
  /** The present moment, where the last phase still goes on; milliseconds since 1970. */
  readonly now: number;
  readonly status: JobStatus;
}

/** A job's way through its phases, to scale, on the ruler. */
export function Timeline({ phases, now, status }: TimelineProps) {
  const start = Date.parse(phases[0]?.from ?? "");
  const spans = phases.map(({ name, from, to }) => {
    const at = Date.parse(from) - start;
    return { name, at, length: Math.max(0, (to ? Date.parse(to) : now) - start - at) };
  });
  const total = Math.max(1, ...spans.map(({ at, length }) => at + length));
  const share = (ms: number) => `${(100 * ms) / total}%`;
  return (
    <div className="grid gap-4">
      <div aria-hidden="true" className="text-muted-foreground">
        <div className="relative h-5 overflow-hidden rounded-sm bg-secondary">
          {spans.map(({ name, at, length }) => (
            <div
              key={name}
              className={cn("absolute inset-y-0 min-w-0.5", looks[name].bar)}
              style={{ left: share(at), width: share(length) }}
            />
          ))}
        </div>
        <Ruler total={total} />
      </div>
      <ol className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
        {spans.map(({ name, length }) => (
          <li key={name} className="flex items-center gap-2">
            <span aria-hidden="true" className={cn("size-2.5 rounded-xs", looks[name].bar)} />
            {looks[name].label}
            <span className="text-muted-foreground tabular-nums">{formatDuration(length)}</span>
          </li>
        ))}
        {isEnded({ status }) && (
          <li className="ml-auto flex items-center gap-2">
            <span className="first-letter:uppercase">{status} after</span>
            <span className="text-muted-foreground tabular-nums">{formatDuration(total)}</span>
          </li>
        )}
      </ol>
    </div>
  );
}

/** Further along, a tick's time stands on its left, where there is room for it. */
const lastFree = 0.85;
/** On a narrow page, of more times than this every second one is left out. */
const mostNarrow = 3;

/** Ticks under the bars: a long one with its time at each round number, five short ones between. */
function Ruler({ total }: { total: number }) {
  const { step, marks } = ticksOf(total);
  const short = `${(100 * step) / total / 5}%`;
  return (
    <div className="relative h-8 overflow-hidden">
      <div
        className="absolute inset-x-0 top-0 h-1.5"
        style={{
          backgroundImage: `repeating-linear-gradient(to right, color-mix(in srgb, currentColor 40%, transparent) 0 1px, transparent 1px ${short})`,
        }}
      />
      {marks.map((mark, index) => (
        <div
          key={mark}
          className="absolute top-0 h-3 border-l border-current text-[0.65rem] leading-none tabular-nums"
          style={{ left: `${(100 * mark) / total}%` }}
        >
          <span
            className={cn(
              "absolute top-4 whitespace-nowrap",
              mark / total > lastFree ? "right-0" : "left-0",
              marks.length > mostNarrow && index % 2 === 1 && "max-sm:hidden",
            )}
          >
            {mark === 0 ? "0" : formatDuration(mark)}
          </span>
        </div>
      ))}
    </div>
  );
}
