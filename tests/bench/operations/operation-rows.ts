import { basename } from "node:path";
import { type BenchRow, makeRow } from "../report/rows.ts";
import type { BareCommand } from "./record-commands.ts";
import type { WarmWork } from "./warm-engines.ts";

/** What the service may take: so many times its engines, and so many milliseconds more. */
const limit = { factor: 1.25, addedMs: 15 };

/** One round: a request to the service, and the commands that its job starts without the service. */
export interface OperationRound {
  readonly service: Cost;
  readonly bare: Cost;
  /** What warm engines did for the request. */
  readonly warm: WarmWork & Pick<Cost, "cpuSeconds">;
}

interface Cost {
  readonly ms: number;
  readonly cpuSeconds: number;
}

/** The row of the service, and that of the engines without it: commands and warm engines together. */
export function makeOperationRows(
  id: string,
  commands: readonly Pick<BareCommand, "command">[],
  rounds: readonly OperationRound[],
): BenchRow[] {
  const sum = (secondsOf: (round: OperationRound) => number) =>
    rounds.reduce((all, round) => all + secondsOf(round), 0);
  const names = [
    ...commands.map(({ command }) => basename(command)),
    ...(rounds.at(-1)?.warm.engines ?? []).map((engine) => `warm ${engine}`),
  ];
  const engines = makeRow(
    id,
    nameEngines(names),
    "ms",
    rounds.map(({ bare, warm }) => bare.ms + warm.ms),
    { cpu: sum(({ bare, warm }) => bare.cpuSeconds + warm.cpuSeconds) },
  );
  const service = makeRow(
    id,
    "service",
    "ms",
    rounds.map(({ service }) => service.ms),
    {
      target: { max: Math.round(limit.factor * engines.median + limit.addedMs) },
      cpu: sum(({ service }) => service.cpuSeconds),
    },
  );
  return [service, engines];
}

/** Such as `ffprobe, 2 × ffmpeg, warm image`. */
function nameEngines(names: readonly string[]): string {
  const counted = Map.groupBy(names, (name) => name);
  const listed = [...counted].map(([name, { length }]) =>
    length === 1 ? name : `${length} × ${name}`,
  );
  return listed.join(", ") || "no engine";
}
