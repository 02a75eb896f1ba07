import type { JobStage } from "#lib/db/schema/job-states.ts";
import { log } from "#lib/log.ts";
import type { AvailableWork } from "#lib/queue/work-available.ts";

/** Where a runner is in the list of the media runners that are alive. */
export interface Place {
  /** From 0. */
  readonly rank: number;
  readonly count: number;
}

/** Up to this number, all runners look for a new job: that costs less than to agree. */
const fewRunners = 4;

/** How many runners are asked one after the other, if they are busy, before all are. */
const maxTurns = 3;

/** A runner whose turn it is not looks all the same after 0.5 to 1 s, because the other one may be dead. */
const lateMs = 500;

interface TurnOptions {
  /** Undefined while it is not known; then all notifications are for this runner. */
  readonly place: () => Place | undefined;
  /** Whether a job that is claimed now starts now. */
  readonly isFree: (stage: JobStage) => boolean;
  /** Whether other runners may have to take what this one leaves to them. */
  readonly leavesJobs: () => boolean;
  /** Looks for a job. */
  readonly look: (stage: JobStage) => void;
  /** Notifies all runners. */
  readonly notify: (work: AvailableWork) => Promise<void>;
}

/**
 * Gives each new job to one of many idle runners. Every runner gets the notification of a new job; if all of them
 * looked for it, each job would cost a transaction of every idle runner. So the seed of the notification says whose
 * turn it is, and a busy runner passes its turn on.
 */
export class Turns {
  readonly #options: TurnOptions;
  readonly #late = new Set<JobStage>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  /** Takes the notification of a new job of `stage`. */
  take(stage: JobStage, { seed, turn = 0 }: Pick<AvailableWork, "seed" | "turn">): void {
    const { place, isFree, leavesJobs, look } = this.#options;
    const { rank, count } = place() ?? { rank: 0, count: 1 };
    if (seed === undefined || count <= fewRunners) {
      look(stage);
      return;
    }
    const isOwn = (seed + turn) % count === rank;
    // A busy runner prepares a job for its next free engine, and looks by itself when it has one.
    if (!isFree(stage) || isOwn) look(stage);
    else this.#lookLater(stage);
    if (isOwn && (!isFree(stage) || leavesJobs())) this.#passOn(stage, seed, turn + 1);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #passOn(kind: JobStage, seed: number, turn: number): void {
    const next = turn < maxTurns ? { seed, turn } : {};
    this.#options
      .notify({ kind, delaySeconds: 0, ...next })
      .catch((err) => log.warn({ err }, "notification of a job not passed on"));
  }

  #lookLater(stage: JobStage): void {
    this.#late.add(stage);
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        for (const one of this.#late) this.#options.look(one);
        this.#late.clear();
      },
      lateMs * (1 + Math.random()),
    );
  }
}
