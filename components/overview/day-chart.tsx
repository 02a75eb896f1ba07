"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { cn } from "#components/class-names.ts";
import { formatBytes } from "#components/format.ts";
import {
  type ChartDay,
  type ChartSeries,
  ChartTable,
  chartColors,
  DayRuler,
  Legend,
} from "./chart-parts.tsx";
import { formatDay, niceMaximum } from "./chart-scale.ts";

interface DayChartProps {
  /** The chart's subject, such as "Jobs per day". */
  readonly label: string;
  readonly unit: "count" | "bytes";
  readonly series: readonly ChartSeries[];
  readonly days: readonly ChartDay[];
  /** A page for each day, which a click or Enter opens. */
  readonly hrefs?: readonly string[];
}

/**
 * A stacked bar per day. Pointer, touch and arrow keys select a day and show its numbers. A table
 * with all numbers is available to screen readers.
 */
export function DayChart({ label, unit, series, days, hrefs }: DayChartProps) {
  const router = useRouter();
  const [selected, setSelected] = useState<number>();
  const format = unit === "bytes" ? formatBytes : (value: number) => value.toLocaleString("en");
  const maximum = niceMaximum(Math.max(...days.map(({ values }) => sum(values))));
  const isEmpty = days.every(({ values }) => sum(values) === 0);
  const last = days.length - 1;
  const describeDay = (index: number) => {
    const { day, values } = days[index] ?? { day: "", values: [] };
    const parts = series.map(({ name }, at) => `${name} ${format(values[at] ?? 0)}`);
    return `${day && formatDay(day)}: ${parts.join(", ")}`;
  };

  function onPointer(event: PointerEvent<HTMLDivElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * days.length);
    setSelected(Math.min(last, Math.max(0, index)));
  }

  function open(index: number) {
    const href = hrefs?.[index];
    if (href) router.push(href);
  }

  function onKeyDown(event: KeyboardEvent) {
    const at = selected ?? last;
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (event.key === "Escape") setSelected(undefined);
    if (event.key === "Enter") open(at);
    if (next === undefined) return;
    event.preventDefault();
    setSelected(Math.min(last, Math.max(0, next)));
  }

  return (
    <div className="relative grid gap-2">
      <Legend series={series} />
      <div className="relative pt-5">
        <p aria-hidden="true" className="absolute top-0 left-0 text-xs text-muted-foreground">
          {isEmpty ? "" : format(maximum)}
        </p>
        <div
          role="slider"
          tabIndex={0}
          aria-label={`${label}: select a day`}
          aria-valuemin={1}
          aria-valuemax={days.length}
          aria-valuenow={(selected ?? last) + 1}
          aria-valuetext={describeDay(selected ?? last)}
          className={cn(
            "relative flex h-36 items-end border-t border-dashed",
            hrefs && "cursor-pointer",
          )}
          onPointerMove={onPointer}
          onPointerDown={onPointer}
          // A finger selects a day to read its numbers.
          onPointerUp={({ pointerType }) => {
            if (pointerType === "mouse" && selected !== undefined) open(selected);
          }}
          onPointerLeave={() => setSelected(undefined)}
          onKeyDown={onKeyDown}
          onFocus={(event) => event.currentTarget.matches(":focus-visible") && setSelected(last)}
          onBlur={() => setSelected(undefined)}
        >
          {days.map(({ day, values }, index) => (
            <div
              key={day}
              className={cn(
                "flex h-full flex-1 flex-col-reverse",
                days.length <= 100 && "px-px",
                index === selected && "bg-accent forced-colors:outline",
              )}
            >
              {series.map(({ name, color }, at) => (
                <div
                  key={name}
                  className={cn("min-h-0 shrink-0", chartColors[color])}
                  style={{ height: `${((values[at] ?? 0) / maximum) * 100}%` }}
                />
              ))}
            </div>
          ))}
        </div>
        {isEmpty && (
          <p className="absolute inset-x-0 top-20 text-center text-sm text-muted-foreground">
            No data in these {days.length} days
          </p>
        )}
        <DayRuler days={days} />
        {selected !== undefined && (
          <div
            aria-hidden="true"
            className={cn(
              "pointer-events-none absolute top-0 z-10 w-max max-w-52 rounded-md bg-primary px-2.5 py-1.5 text-xs text-primary-foreground shadow-md",
              selected > last / 2 ? "-translate-x-full" : "translate-x-4",
            )}
            style={{ left: `${(selected / days.length) * 100}%` }}
          >
            <p className="font-medium">{formatDay(days[selected]?.day ?? "")}</p>
            {series.map(({ name }, at) => (
              <p key={name} className="flex justify-between gap-4 tabular-nums">
                <span>{name}</span> <span>{format(days[selected]?.values[at] ?? 0)}</span>
              </p>
            ))}
          </div>
        )}
      </div>
      <ChartTable label={label} series={series} days={days} format={format} />
    </div>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
