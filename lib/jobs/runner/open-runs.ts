import type { RunnerQueueState, SlotKind } from "#lib/db/schema/runners.ts";

/** The queue learns that a run has ended a short time after the runner. Until then it holds a slot. */
const closingMs = 1000;

/** The wait after a change that no work waits for, so that a runner with many short runs does not write all the time. */
const reportMs = 100;

/**
 * The runs that hold slots of this process in Inngest. They are reported with its heartbeats, because
 * Inngest keeps the slots of a process that dies for minutes, unless the runs are ended.
 */
export class OpenRuns {
  readonly #slots: RunnerQueueState["slots"];
  readonly #byKind = new Map<SlotKind, Map<string, number>>();
  readonly #claiming = new Map<SlotKind, number>();
  readonly #waiting = new Map<SlotKind, number>();
  /** The runs that wait, as they were last reported. */
  #reportedWaiting: Readonly<Partial<Record<SlotKind, number>>> = {};
  #reporting: NodeJS.Timeout | undefined;
  /** How many reports were made. */
  #reports = 0;
  /** Records the state in the database. */
  onChange: () => Promise<void> = async () => {};

  constructor(slots: RunnerQueueState["slots"]) {
    this.#slots = slots;
  }

  /** Adds the run of a message. It is reported soon. Returns the function to call when it has ended. */
  open(kind: SlotKind, messageId: string): () => void {
    const counts = this.#byKind.get(kind) ?? new Map<string, number>();
    this.#byKind.set(kind, counts);
    counts.set(messageId, (counts.get(messageId) ?? 0) + 1);
    this.#reportSoon();
    return () => {
      setTimeout(() => this.#close(counts, messageId), closingMs).unref();
    };
  }

  /**
   * One more run claims again when its job ends. While all runs do, jobs bring no message. Returns the
   * function to call before its last claim: when that resolves, jobs bring messages again. It resolves
   * with false if no report had this run, so that no job relied on it.
   */
  startClaiming(kind: SlotKind): () => Promise<boolean> {
    this.#change(this.#claiming, kind, 1);
    this.#reportSoon();
    const reportsBefore = this.#reports;
    return async () => {
      this.#change(this.#claiming, kind, -1);
      const wasReported = this.#reports > reportsBefore;
      if (wasReported) await this.report();
      return wasReported;
    };
  }

  /**
   * One more run waits for jobs that bring only a notification. Returns the function to call when it is woken:
   * when that resolves and no other run waits, jobs bring messages again. A run that waits no longer for
   * another reason claims once more after the report of `startClaiming`, and needs none of its own.
   */
  startWaiting(kind: SlotKind): (isWoken: boolean) => Promise<void> {
    this.#change(this.#waiting, kind, 1);
    this.#reportSoon();
    return async (isWoken) => {
      this.#change(this.#waiting, kind, -1);
      const isLast = this.#waiting.get(kind) === 0 && (this.#reportedWaiting[kind] ?? 0) > 0;
      if (isWoken && isLast) await this.report();
      else this.#reportSoon();
    };
  }

  /** Reports the runs now. When it resolves, the slots of all runs so far are freed if this process dies. */
  report(): Promise<void> {
    clearTimeout(this.#reporting);
    this.#reporting = undefined;
    return this.onChange();
  }

  /** What to report now. */
  takeReport(): Omit<RunnerQueueState, "isConnected"> {
    this.#reports++;
    const entries = [...this.#byKind].map(([kind, counts]) => [kind, [...counts.keys()]]);
    const openRuns = Object.fromEntries(entries);
    this.#reportedWaiting = Object.fromEntries(this.#waiting);
    return {
      slots: this.#slots,
      openRuns,
      claimingRuns: Object.fromEntries(this.#claiming),
      waitingRuns: this.#reportedWaiting,
    };
  }

  #change(counts: Map<SlotKind, number>, kind: SlotKind, change: 1 | -1): void {
    counts.set(kind, (counts.get(kind) ?? 0) + change);
  }

  #close(counts: Map<string, number>, messageId: string): void {
    const count = (counts.get(messageId) ?? 1) - 1;
    if (count > 0) counts.set(messageId, count);
    else counts.delete(messageId);
    this.#reportSoon();
  }

  #reportSoon(): void {
    this.#reporting ??= setTimeout(() => void this.report(), reportMs).unref();
  }
}
