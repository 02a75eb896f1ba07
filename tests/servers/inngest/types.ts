import { evaluate } from "./expressions.ts";

/** A function as an app registers it. */
export interface FunctionConfig {
  /** The app's id and the function's, with a dash between. */
  readonly id: string;
  readonly triggers: readonly { event?: string; cron?: string }[];
  readonly steps: { readonly step: { runtime: { url: string }; retries?: { attempts: number } } };
  readonly concurrency?: ConcurrencyLimit | readonly ConcurrencyLimit[];
  readonly priority?: { readonly run: string };
  readonly cancel?: readonly { readonly event: string; readonly if?: string }[];
}

export interface ConcurrencyLimit {
  readonly limit: number;
  readonly key?: string;
  readonly scope?: "fn" | "env" | "account";
}

export interface InngestEvent {
  readonly id: string;
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch; a function starts no sooner. */
  readonly ts: number;
}

/** A request to an app to go on with a run. */
export interface AppCall {
  readonly app: string;
  /** The function's id. */
  readonly slug: string;
  readonly runId: string;
  readonly requestId: string;
  readonly stepId: string;
  readonly payload: unknown;
}

/** What an app answered: 200 a function's end, 206 what became of its steps, 500 its failure. */
export interface AppAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly noRetry: boolean;
  readonly retryAfter: string | undefined;
}

/** The concurrency keys that a call for `event` counts under, and the limit of each. */
export function limitsOf(
  { id, concurrency = [] }: FunctionConfig,
  event: Pick<InngestEvent, "id" | "data">,
): { key: string; limit: number }[] {
  const limits = [concurrency].flat() as ConcurrencyLimit[];
  return limits.map(({ key, limit, scope = "fn" }) => {
    const value = key ? String(evaluate(key, { event })) : "";
    // A key means the same in all functions of an environment, else in its function alone.
    return { key: `${scope === "fn" ? id : scope} ${key && value}`, limit };
  });
}
