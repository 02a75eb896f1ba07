import type { RunnerQueueState, SlotKind } from "#lib/db/schema/runners.ts";

/** The queue learns that a run has ended a short time after the runner. Until then it holds a slot. */
const closingMs = 1000;

/** After a change that no work waits for, so that a runner with many short runs does not write all the time. */
const reportMs = 100;

/**
 * The runs that hold slots of this process in Inngest. They are reported with its heartbeats, because
 * Inngest keeps the slots of a process that dies for minutes, unless the runs are ended.
 */
export class OpenRuns {
  readonly #slots: RunnerQueueState["slots"];
  readonly #byKind = new Map<SlotKind, Map<string, number>>();
  #reporting: NodeJS.Timeout | undefined;
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

  /** Reports the runs now. When it resolves, the slots of all runs so far are freed if this process dies. */
  report(): Promise<void> {
    clearTimeout(this.#reporting);
    this.#reporting = undefined;
    return this.onChange();
  }

  get state(): Omit<RunnerQueueState, "isConnected"> {
    const entries = [...this.#byKind].map(([kind, counts]) => [kind, [...counts.keys()]]);
    return { slots: this.#slots, openRuns: Object.fromEntries(entries) };
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
