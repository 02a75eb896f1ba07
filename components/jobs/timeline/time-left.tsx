import { describeLeft } from "./estimate-left.ts";

/** How far a long job is, and how long it still takes. Both in words: `left` is in milliseconds. */
export function TimeLeft({ percent, left }: { percent: number; left: number }) {
  return (
    <p className="-mt-2 text-sm text-muted-foreground tabular-nums">
      {Math.round(percent)}%, {describeLeft(left)}
    </p>
  );
}
