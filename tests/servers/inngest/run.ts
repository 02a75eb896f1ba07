import { randomUUID } from "node:crypto";
import { evaluate } from "./expressions.ts";
import {
  type AppAnswer,
  type AppCall,
  type FunctionConfig,
  type InngestEvent,
  limitsOf,
} from "./types.ts";

/** What became of a step. */
type StepState =
  | { readonly type: "data"; readonly data: unknown }
  | { readonly type: "error"; readonly error: unknown };

/** One thing that an app tells about a step in its answer. */
interface Op {
  readonly id: string;
  readonly op: string;
  readonly data?: unknown;
  readonly error?: unknown;
}

/** What is to be called next of a run: its function's beginning or one step, for the n-th time. */
export interface Turn {
  readonly stepId: string;
  /** 0 for the first. */
  readonly attempt: number;
}

const beginning = "step";

/** One run of a function: what was asked, what came of it, and what comes next. */
export class Run {
  readonly id = randomUUID();
  readonly app: string;
  readonly config: FunctionConfig;
  readonly event: InngestEvent;
  readonly steps = new Map<string, StepState>();
  /** Attempts of each call, in order. */
  readonly attempts: number[] = [];
  status: "waiting" | "running" | "completed" | "failed" | "cancelled" = "waiting";
  output: unknown;
  next: Turn | undefined = { stepId: beginning, attempt: 0 };

  constructor(app: string, config: FunctionConfig, event: InngestEvent) {
    this.app = app;
    this.config = config;
    this.event = event;
  }

  get hasEnded(): boolean {
    return this.status !== "waiting" && this.status !== "running";
  }

  /** Tries of each step in all. */
  get maxAttempts(): number {
    return (this.config.steps.step.retries?.attempts ?? 3) + 1;
  }

  /** Whose turn it is: the moment of the event, less the head start. */
  get score(): number {
    const { priority } = this.config;
    const headStart = priority ? Number(evaluate(priority.run, { event: this.event })) : 0;
    return this.event.ts - headStart * 1000;
  }

  get limits(): { key: string; limit: number }[] {
    return limitsOf(this.config, this.event);
  }

  /** Whether `event` ends this run. */
  isEndedBy(event: InngestEvent): boolean {
    return (this.config.cancel ?? []).some(
      (one) =>
        one.event === event.name &&
        (!one.if || evaluate(one.if, { event: this.event, async: event }) === true),
    );
  }

  /** The request for `turn`. */
  callFor(turn: Turn): AppCall {
    const stack = [...this.steps.keys()];
    return {
      app: this.app,
      slug: this.config.id,
      runId: this.id,
      requestId: randomUUID(),
      stepId: turn.stepId,
      payload: {
        event: this.event,
        events: [this.event],
        steps: Object.fromEntries(this.steps),
        version: -1,
        ctx: {
          run_id: this.id,
          fn_id: this.config.id,
          qi_id: randomUUID(),
          attempt: turn.attempt,
          max_attempts: this.maxAttempts,
          disable_immediate_execution: false,
          use_api: false,
          stack: { stack, current: stack.length },
        },
      },
    };
  }

  /** Notes steps that ran: in an answer, or reported while the function goes on. */
  keepSteps(ops: readonly Op[]): void {
    for (const { id, op, data, error } of ops) {
      if (op === "StepRun" || op === "Step") this.steps.set(id, { type: "data", data });
      if (op === "StepFailed") this.steps.set(id, { type: "error", error });
    }
  }

  /** Takes what an app answered to `turn`, or why it did not; true where a retry is due. */
  take(turn: Turn, answer: AppAnswer | Error): boolean {
    if (this.hasEnded) return false;
    if (answer instanceof Error || answer.status === 500) return this.#retry(turn, answer);
    if (answer.status !== 206) {
      const hasFailed = answer.status !== 200 || answer.noRetry;
      this.#end(hasFailed ? "failed" : "completed", answer.body);
      return false;
    }
    // 206 carries operations.
    const ops = answer.body as Op[];
    this.keepSteps(ops);
    const complete = ops.find(({ op }) => op === "RunComplete");
    if (complete) {
      this.#end("completed", complete.data);
      return false;
    }
    if (ops.some(({ op }) => op === "StepError")) return this.#retry(turn, answer);
    const planned = ops.find(({ op }) => op === "StepPlanned");
    this.next = { stepId: planned?.id ?? beginning, attempt: 0 };
    return false;
  }

  cancel(): void {
    if (!this.hasEnded) this.#end("cancelled", undefined);
  }

  #retry(turn: Turn, answer: AppAnswer | Error): boolean {
    const isLast = turn.attempt + 1 >= this.maxAttempts;
    if (isLast || (!(answer instanceof Error) && answer.noRetry)) {
      this.#end("failed", answer instanceof Error ? answer.message : answer.body);
      return false;
    }
    this.next = { ...turn, attempt: turn.attempt + 1 };
    return true;
  }

  #end(status: Run["status"], output: unknown): void {
    this.status = status;
    this.output = output;
    this.next = undefined;
  }
}
