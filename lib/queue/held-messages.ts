import type { JobStage } from "#lib/db/schema/job-states.ts";
import type { JobMessage } from "./port.ts";

/** A message starts a run within this time, and the run reports itself. */
const startMs = 500;

/** What is known of the messages of one stage. */
interface StageState {
  /** When the messages that may not have started a run yet were sent. */
  readonly sentAt: number[];
  readonly held: JobMessage[];
  timer: NodeJS.Timeout | undefined;
}

export interface HeldMessagesOptions {
  /** How many slots of a stage have no run that claims jobs; infinite if no runner is alive. */
  readonly countSlots: (stage: JobStage) => Promise<number>;
  /** Resolves with false if the messages could not be sent; they are recorded then. */
  readonly send: (messages: readonly JobMessage[]) => Promise<boolean>;
}

/**
 * Holds back messages of jobs while as many are on their way as slots have no run. Without it, each job of
 * a burst would bring a message until the first runs have started. Those without a slot would then wait in
 * Inngest, which tries to start each of them several times a second: with ten of them, that costs the
 * server more than all its other work.
 *
 * No job is forgotten: a run that was started claims until no job waits. A message that was held back
 * is sent a little later if slots still have no run by then.
 */
export class HeldMessages {
  readonly #options: HeldMessagesOptions;
  readonly #stages = new Map<JobStage, StageState>();

  constructor(options: HeldMessagesOptions) {
    this.#options = options;
  }

  /** Sends the message of a committed job, if one is needed. Resolves with false if it could not be sent. */
  async add(message: JobMessage): Promise<boolean> {
    const state = this.#stateOf(message.stage);
    const slots = await this.#options
      .countSlots(message.stage)
      .catch(() => Number.POSITIVE_INFINITY);
    if (slots === 0) return true;
    if (countOnTheWay(state) < slots) return this.#send(state, [message]);
    state.held.push(message);
    this.#checkSoon(message.stage, state);
    return true;
  }

  /** Sends what is held back, at the end of this process. */
  async flush(): Promise<void> {
    for (const state of this.#stages.values()) {
      clearTimeout(state.timer);
      state.timer = undefined;
      await this.#send(state, state.held.splice(0));
    }
  }

  #checkSoon(stage: JobStage, state: StageState): void {
    state.timer ??= setTimeout(() => {
      state.timer = undefined;
      void this.#check(stage, state);
    }, startMs).unref();
  }

  async #check(stage: JobStage, state: StageState): Promise<void> {
    const checked = state.held.length;
    const slots = await this.#options.countSlots(stage).catch(() => Number.POSITIVE_INFINITY);
    const held = state.held.splice(0, checked);
    if (slots > 0) {
      const free = Math.max(0, slots - countOnTheWay(state));
      const sending = held.splice(0, free);
      state.held.unshift(...held);
      await this.#send(state, sending);
    }
    if (state.held.length > 0) this.#checkSoon(stage, state);
  }

  async #send(state: StageState, messages: readonly JobMessage[]): Promise<boolean> {
    if (messages.length === 0) return true;
    const now = Date.now();
    state.sentAt.push(...messages.map(() => now));
    const isSent = await this.#options.send(messages);
    // The next job finds out whether the queue is available again.
    if (!isSent) state.sentAt.length = 0;
    return isSent;
  }

  #stateOf(stage: JobStage): StageState {
    const known = this.#stages.get(stage);
    if (known) return known;
    const state: StageState = { sentAt: [], held: [], timer: undefined };
    this.#stages.set(stage, state);
    return state;
  }
}

function countOnTheWay({ sentAt }: StageState): number {
  const since = Date.now() - startMs;
  while (sentAt[0] !== undefined && sentAt[0] < since) sentAt.shift();
  return sentAt.length;
}
