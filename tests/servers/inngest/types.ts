import { evaluate } from "./expressions.ts";

/** A function as an app registers it. */
export interface FunctionConfig {
  /** The ids of the app and the function, joined by a dash. */
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
  /** Milliseconds since the epoch; functions start at this time or later. */
  readonly ts: number;
}

/** A request to an app to continue a run. */
export interface AppCall {
  readonly app: string;
  /** The function's id. */
  readonly slug: string;
  readonly runId: string;
  readonly requestId: string;
  readonly stepId: string;
  readonly payload: unknown;
}

/** The response of an app: 200 for the end of a function, 206 for results of steps, 500 for a failure. */
export interface AppResponse {
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
    // A key is shared by all functions of an environment, or is specific to one function.
    return { key: `${scope === "fn" ? id : scope} ${key && value}`, limit };
  });
}
