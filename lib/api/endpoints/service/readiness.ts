import { z } from "zod";
import { databaseStates, readDatabaseState } from "#lib/db/database-state.ts";
import type { RunnerReport } from "#lib/db/schema/runners.ts";
import { env } from "#lib/env.ts";
import { countSlots, type SlotCounts } from "#lib/jobs/runner/dead-runners.ts";
import { liveMediaRunners } from "#lib/jobs/runner/heartbeat.ts";
import type { SandboxLevel } from "#lib/sandbox-level.ts";
import { readStorageState, storageStates } from "#lib/storage/storage-state.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { errorSchema } from "../../definition/errors.ts";
import { hasMetricsToken } from "./metrics-token.ts";

const readinessSchema = z
  .strictObject({
    status: z.enum(["ready", "unavailable"]),
    database: z
      .enum(databaseStates)
      .describe("`missing`: it does not respond. `not migrated`: no runner has started yet."),
    storage: z
      .enum(storageStates)
      .describe("Whether the store of the files responded in the last 30 seconds."),
    media_runner: z.enum(["ok", "missing"]),
    media_runners: z.number().int().min(0).describe("Number of live media runners."),
    held_slots: z
      .number()
      .int()
      .min(0)
      .describe(
        "Slots for jobs that Inngest still keeps for media runners that vanished, until their runs are ended. Not ready while they are all slots.",
      ),
    sandbox: z
      .string()
      .describe(
        "`full`: engines have no network, see only the folder of their job, and get few system calls. `strict`: the same without namespaces of their own, where bubblewrap does not work. `off`: no sandbox.",
      ),
    limits: z
      .record(z.string(), z.string())
      .describe(
        "What ends an engine that uses too much `memory` or too many `processes`: the kernel (`cgroup v1`, `cgroup v2`, `rlimit`) or the runner (`watch`).",
      ),
    hardware: z
      .string()
      .nullable()
      .describe(
        "What encodes videos instead of the processor, as `FFMPEG_HWACCEL` asks for: `vaapi`, `nvenc` or `qsv`; null if it is off or does not work.",
      ),
    engines: z
      .record(z.string(), z.string().nullable())
      .describe(
        "The version of each engine; null if no runner has one that is installed and starts.",
      ),
  })
  .partial()
  .required({ status: true })
  .meta({
    id: "Readiness",
    description:
      "Whether jobs can be accepted and run. Everyone sees `status` and, if it is `unavailable`, `database`, `storage`, `media_runner` and `held_slots`. The operator sees all fields.",
  });

export const readReadiness = defineEndpoint({
  method: "GET",
  path: "/readyz",
  operationId: "readReadiness",
  tag: "Account",
  summary: "Check that jobs can be accepted and run.",
  description:
    "The details are for the operator: send `METRICS_TOKEN` as bearer token, or sign in as an operator.",
  access: "public",
  responses: {
    200: { description: "The service is ready.", body: readinessSchema },
    503: {
      description: "The database, the storage, a media runner or a free slot is missing.",
      body: z.union([readinessSchema, errorSchema]),
      headers: ["Retry-After"],
    },
  },
  async handler({ request }) {
    const [database, storage] = await Promise.all([readDatabaseState(), readStorageState()]);
    const isDatabaseReady = database === "ok";
    const runners = isDatabaseReady ? await liveMediaRunners() : [];
    const slots = isDatabaseReady ? await countSlots("run") : noSlots;
    const isHeld = slots.heldByDead > 0 && slots.heldByDead >= slots.live;
    const isReady = isDatabaseReady && storage === "ok" && runners.length > 0 && !isHeld;
    const missing: Readiness = {
      status: isReady ? "ready" : "unavailable",
      database,
      storage,
      media_runner: runners.length > 0 ? "ok" : "missing",
      held_slots: slots.heldByDead,
    };
    const details: Readiness = {
      ...missing,
      media_runners: runners.length,
      sandbox: weakestLevel(runners) ?? env.SANDBOX,
      limits: runners[0]?.limits ?? {},
      hardware: runners[0]?.hardware ?? null,
      engines: mergeEngines(runners),
    };
    const isShown = hasMetricsToken(request) || (isDatabaseReady && (await isOperator(request)));
    if (isReady) return isShown ? details : { status: missing.status };
    const init = { status: 503, headers: { "Retry-After": "5" } };
    return Response.json(isShown ? details : missing, init);
  },
});

type Readiness = z.infer<typeof readinessSchema>;

/** Loads the session's code at the first call: it needs Next.js, which other servers of this catalogue lack. */
async function isOperator(request: Request): Promise<boolean> {
  if (!request.headers.has("cookie")) return false;
  const { currentAccount } = await import("#lib/auth/session.ts");
  return (await currentAccount())?.role === "operator";
}

/** The levels of the sandbox, weakest first. */
const levels: readonly SandboxLevel[] = ["off", "strict", "full"];

/** The level that a job may get: the weakest, because each runner takes each job. */
function weakestLevel(runners: readonly RunnerReport[]): SandboxLevel | undefined {
  return levels.find((level) => runners.some(({ sandbox }) => sandbox === level));
}

const noSlots: SlotCounts = { live: 0, heldByDead: 0 };

/** Each engine of any runner: one with `MEDIA_ENGINES` reports null for those that it leaves out. */
function mergeEngines(runners: readonly RunnerReport[]): Record<string, string | null> {
  const merged: Record<string, string | null> = {};
  for (const [engine, version] of runners.flatMap(({ engines }) => Object.entries(engines))) {
    merged[engine] ??= version;
  }
  return merged;
}
