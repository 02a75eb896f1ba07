"use client";

import { cn } from "#components/class-names.ts";
import { formatDuration } from "#components/format.ts";
import type { JobStatus } from "#lib/db/schema/job-states.ts";
import { isFinal } from "#lib/jobs/state.ts";
import type { JobPhase, PhaseName } from "#lib/jobs/view/phases.ts";
import { timelineTicks } from "./timeline-ticks.ts";

const styles: Readonly<Record<PhaseName, { readonly label: string; readonly bar: string }>> = {
  queued: { label: "Queued", bar: "bg-input forced-color-adjust-none" },
  fetching: { label: "Fetching", bar: "bg-chart-4 forced-color-adjust-none" },
  waiting: { label: "Waiting for engine", bar: "bg-warning forced-color-adjust-none" },
  working: { label: "Running", bar: "bg-chart-2 forced-color-adjust-none" },
  storing: { label: "Storing", bar: "bg-chart-3 forced-color-adjust-none" },
};

interface TimelineProps {
  readonly phases: readonly JobPhase[];
  /** The current time, which ends the last phase while it runs; milliseconds since 1970. */
  readonly now: number;
  /** The milliseconds until the job is done, if they are known: the axis leaves room for them. */
  readonly left?: number | undefined;
  readonly status: JobStatus;
}

/** The phases of a job on a time axis. */
export function Timeline({ phases, now, left = 0, status }: TimelineProps) {
  const start = Date.parse(phases[0]?.from ?? "");
  const spans = phases.map(({ name, from, to }) => {
    const at = Date.parse(from) - start;
    return { name, at, length: Math.max(0, (to ? Date.parse(to) : now) - start - at) };
  });
  const total = Math.max(1, ...spans.map(({ at, length }) => at + length)) + left;
  const share = (ms: number) => `${(100 * ms) / total}%`;
  return (
    <div className="grid grid-cols-1 gap-4">
      <div aria-hidden="true" className="text-muted-foreground">
        <div className="relative h-5 overflow-hidden rounded-sm bg-secondary">
          {spans.map(({ name, at, length }) => (
            <div
              key={name}
              className={cn("absolute inset-y-0 min-w-0.5", styles[name].bar)}
              style={{ left: share(at), width: share(length) }}
            />
          ))}
        </div>
        <TimeAxis total={total} />
      </div>
      <ol className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
        {spans.map(({ name, length }) => (
          <li key={name} className="flex items-center gap-2">
            <span aria-hidden="true" className={cn("size-2.5 rounded-xs", styles[name].bar)} />
            {styles[name].label}
            <span className="text-muted-foreground tabular-nums">{formatDuration(length)}</span>
          </li>
        ))}
        {isFinal({ status }) && (
          <li className="ml-auto flex items-center gap-2">
            <span className="first-letter:uppercase">{status} after</span>
            <span className="text-muted-foreground tabular-nums">{formatDuration(total)}</span>
          </li>
        )}
      </ol>
    </div>
  );
}

/** Labels of ticks after this share of the axis are left of the tick, where they have space. */
const labelLeftFrom = 0.85;
/** Narrow pages hide every second label if there are more than this. */
const maxNarrowLabels = 3;

/** Long ticks with a label, each divided by short ticks into five parts. */
function TimeAxis({ total }: { total: number }) {
  const { step, marks } = timelineTicks(total);
  const shortStep = `${(100 * step) / total / 5}%`;
  return (
    <div className="relative h-8 overflow-hidden">
      <div
        className="absolute inset-x-0 top-0 h-1.5"
        style={{
          backgroundImage: `repeating-linear-gradient(to right, color-mix(in srgb, currentColor 40%, transparent) 0 1px, transparent 1px ${shortStep})`,
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
              mark / total > labelLeftFrom ? "right-0" : "left-0",
              marks.length > maxNarrowLabels && index % 2 === 1 && "max-sm:hidden",
            )}
          >
            {mark === 0 ? "0" : formatDuration(mark)}
          </span>
        </div>
      ))}
    </div>
  );
}
