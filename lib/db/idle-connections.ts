import { idleSeconds } from "./connection.ts";

/**
 * The time that is added to the idle time, so that the connection is closed before the function may
 * be frozen.
 */
const marginMs = 500;

let timer: ReturnType<typeof setTimeout> | undefined;
let release = () => {};

/**
 * Keeps a function of Vercel from being frozen until the connections that are used now have been closed
 * as idle: the timer of a frozen function does not run, and the database would keep its connections.
 * The platform's `attachDatabasePool` does the same for pools that report when a connection is free;
 * postgres.js does not. Does nothing elsewhere.
 */
export function waitForIdleConnections(): void {
  if (idleSeconds === undefined) return;
  clearTimeout(timer);
  release();
  const idle = new Promise<void>((resolve) => {
    release = resolve;
  });
  timer = setTimeout(release, idleSeconds * 1000 + marginMs);
  requestContext()?.waitUntil?.(idle);
}

/** Calls `waitForIdleConnections` when `statement` has ended. Returns it, and does not start it. */
export function watched<Statement extends Promise<unknown>>(statement: Statement): Statement {
  // The `then` of postgres.js would send the statement, before its caller has set its format.
  if (idleSeconds !== undefined)
    Promise.prototype.then.call(statement, waitForIdleConnections, waitForIdleConnections);
  return statement;
}

interface RequestContext {
  /** Keeps the function running until the promise is settled. */
  readonly waitUntil?: (promise: Promise<unknown>) => void;
}

/**
 * What the host provides for the current request, by the protocol that Next.js documents for `after`:
 * https://nextjs.org/docs/app/api-reference/functions/after
 */
function requestContext(): RequestContext | undefined {
  const provider: unknown = Reflect.get(globalThis, Symbol.for("@next/request-context"));
  // The host's own object.
  return (provider as { get?: () => RequestContext | undefined } | undefined)?.get?.();
}
