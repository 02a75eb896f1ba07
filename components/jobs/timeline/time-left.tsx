import type { JobDetails } from "#lib/jobs/view/details.ts";
import { describeSpeed } from "../explain/result-facts.ts";
import { useMediaSize } from "../explain/use-media-size.ts";
import { describeLeft } from "./estimate-left.ts";

interface TimeLeftProps {
  readonly percent: number;
  /** The time left in milliseconds. */
  readonly left: number;
  readonly details: Pick<JobDetails, "job" | "inputs" | "phases">;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** How far a long job is, how long it still takes, and how fast a video or audio file is processed. */
export function TimeLeft({ percent, left, details, now }: TimeLeftProps) {
  const [input] = details.inputs;
  const { duration } = useMediaSize(input?.url, input?.contentType) ?? {};
  const working = details.phases.find(({ name, to }) => name === "working" && to === null);
  const elapsed = working && now - Date.parse(working.from);
  const speed =
    duration && elapsed ? `, ${describeSpeed((duration * percent) / 100, elapsed)}` : "";
  return (
    <p className="-mt-2 text-sm text-muted-foreground tabular-nums">
      {Math.round(percent)}%, {describeLeft(left)}
      {speed}
    </p>
  );
}
