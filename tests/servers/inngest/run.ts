import { randomUUID } from "node:crypto";
import { evaluate } from "./expressions.ts";
import {
  type AppCall,
  type AppResponse,
  type FunctionConfig,
  type InngestEvent,
  limitsOf,
} from "./types.ts";

/** The result of a step. */
type StepState =
  | { readonly type: "data"; readonly data: unknown }
  | { readonly type: "error"; readonly error: unknown };

/** An operation about a step in the response of an app. */
interface Op {
  readonly id: string;
  readonly op: string;
  readonly displayName?: string;
  readonly data?: unknown;
  readonly error?: unknown;
}

/** The next call of a run: the function itself, or one planned step. */
export interface NextCall {
  readonly stepId: string;
  /** The number of the attempt, 0 for the first. */
  readonly attempt: number;
}

const firstStepId = "step";

/** A run of a function: its event, its steps, its next call and its result. */
export class Run {
  readonly id = randomUUID();
  readonly app: string;
  readonly config: FunctionConfig;
  readonly event: InngestEvent;
  readonly steps = new Map<string, StepState>();
  /** What the run history shows: names and results of completed steps, in order. */
  readonly history: { readonly name: string; readonly data: unknown }[] = [];
  /** The attempt number of each call, in order. */
  readonly attempts: number[] = [];
  /** Its first call is made at this time or later, in milliseconds since the epoch. */
  dueAt = 0;
  status: "waiting" | "running" | "completed" | "failed" | "cancelled" = "waiting";
  output: unknown;
  next: NextCall | undefined = { stepId: firstStepId, attempt: 0 };

  constructor(app: string, config: FunctionConfig, event: InngestEvent) {
    this.app = app;
    this.config = config;
    this.event = event;
  }

  get hasEnded(): boolean {
    return this.status !== "waiting" && this.status !== "running";
  }

  /** The most attempts of each step. */
  get maxAttempts(): number {
    return (this.config.steps.step.retries?.attempts ?? 3) + 1;
  }

  /** Runs start in the order of this number: the timestamp of the event, minus the priority in ms. */
  get startScore(): number {
    const { priority } = this.config;
    const headStart = priority ? Number(evaluate(priority.run, { event: this.event })) : 0;
    return this.event.ts - headStart * 1000;
  }

  get limits(): { key: string; limit: number }[] {
    return limitsOf(this.config, this.event);
  }

  /** Whether `event` cancels this run. */
  isCancelledBy(event: InngestEvent): boolean {
    return (this.config.cancel ?? []).some(
      (one) =>
        one.event === event.name &&
        (!one.if || evaluate(one.if, { event: this.event, async: event }) === true),
    );
  }

  /** The request for `call`. */
  callFor(call: NextCall): AppCall {
    const stack = [...this.steps.keys()];
    return {
      app: this.app,
      slug: this.config.id,
      runId: this.id,
      requestId: randomUUID(),
      stepId: call.stepId,
      payload: {
        event: this.event,
        events: [this.event],
        steps: Object.fromEntries(this.steps),
        version: -1,
        ctx: {
          run_id: this.id,
          fn_id: this.config.id,
          qi_id: randomUUID(),
          attempt: call.attempt,
          max_attempts: this.maxAttempts,
          disable_immediate_execution: false,
          use_api: false,
          stack: { stack, current: stack.length },
        },
      },
    };
  }

  /** Records completed steps, from a response or from a checkpoint of a running function. */
  recordSteps(ops: readonly Op[]): void {
    for (const { id, op, displayName = "", data, error } of ops) {
      if (op === "StepRun" || op === "Step") {
        if (!this.steps.has(id)) this.history.push({ name: displayName, data });
        this.steps.set(id, { type: "data", data });
      }
      if (op === "StepFailed") this.steps.set(id, { type: "error", error });
    }
  }

  /**
   * Queue items of this run that are left when it ends. The real server handles the operations of one
   * response concurrently: each step that comes with the end of the run may enqueue the next call of a
   * run that is gone. Here, it always does.
   */
  lateItems = 0;

  /** Handles the response to `call`, or the error instead of it. Returns whether a retry is due. */
  handleResponse(call: NextCall, response: AppResponse | Error): boolean {
    if (this.hasEnded) return false;
    if (response instanceof Error || response.status === 500) return this.#retry(call, response);
    if (response.status !== 206) {
      const hasFailed = response.status !== 200 || response.noRetry;
      this.#end(hasFailed ? "failed" : "completed", response.body);
      return false;
    }
    // The body of a 206 is a list of operations.
    const ops = response.body as Op[];
    this.recordSteps(ops);
    const complete = ops.find(({ op }) => op === "RunComplete");
    if (complete) {
      this.lateItems = ops.length - 1;
      this.#end("completed", complete.data);
      return false;
    }
    if (ops.some(({ op }) => op === "StepError")) return this.#retry(call, response);
    const planned = ops.find(({ op }) => op === "StepPlanned");
    this.next = { stepId: planned?.id ?? firstStepId, attempt: 0 };
    return false;
  }

  cancel(): void {
    if (!this.hasEnded) this.#end("cancelled", undefined);
  }

  #retry(call: NextCall, response: AppResponse | Error): boolean {
    const isLast = call.attempt + 1 >= this.maxAttempts;
    if (isLast || (!(response instanceof Error) && response.noRetry)) {
      this.#end("failed", response instanceof Error ? response.message : response.body);
      return false;
    }
    this.next = { ...call, attempt: call.attempt + 1 };
    return true;
  }

  #end(status: Run["status"], output: unknown): void {
    this.status = status;
    this.output = output;
    this.next = undefined;
  }
}
