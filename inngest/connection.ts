import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import type { Inngest, InngestFunction } from "inngest";
import { ConnectionState, connect } from "inngest/connect";
import { log } from "#lib/log.ts";

/** How long connecting may take before the log suggests what to check. */
const slowConnectMs = 10_000;

/** How long a stopping runner waits until Inngest has accepted its last responses. */
export const responseTimeoutMs = 8000;

/** An app's connection to Inngest. It connects and reconnects in the background. */
export interface AppConnection {
  /** Whether work can arrive now. */
  isActive(): boolean;
  /** Accepts no more work. Resolves when the responses of running work are sent, or after `timeoutMs`. */
  close(timeoutMs: number): Promise<void>;
}

/**
 * Connects `client` and its functions, with at most `concurrency` runs at once in this process. The
 * process also starts if the server is unavailable: the SDK retries until it is back. Calls `onConnected`
 * after the first time.
 */
export function connectApp(
  client: Inngest,
  functions: InngestFunction.Any[],
  concurrency: number,
  onConnected: () => Promise<void> = async () => {},
): AppConnection {
  const { id: app } = client;
  const slow = setTimeout(() => {
    const hint = "check INNGEST_BASE_URL and INNGEST_SIGNING_KEY";
    log.warn({ app, after_ms: slowConnectMs }, `Inngest connection not established; ${hint}`);
  }, slowConnectMs);
  let connection: Awaited<ReturnType<typeof connect>> | undefined;
  const connected = connect({
    apps: [{ client, functions }],
    // Inngest counts capacity per instance: two runners on one machine must have different ids.
    instanceId: `${app}-${hostname()}-${process.pid}`,
    maxWorkerConcurrency: concurrency,
    // This process handles signals itself, to release running jobs first.
    handleShutdownSignals: [],
    // Engines run in separate processes, so nothing here blocks the heartbeat.
    isolateExecution: false,
  });
  void connected.then((established) => {
    clearTimeout(slow);
    connection = established;
    log.info({ app, concurrency }, "Inngest connected");
    onConnected().catch((err) => log.warn({ err, app }, "waiting work not enqueued; it is later"));
  });
  return {
    isActive: () => connection?.state === ConnectionState.ACTIVE,
    async close(timeoutMs) {
      clearTimeout(slow);
      await Promise.race([connection?.close(), wait(timeoutMs, undefined, { ref: false })]);
    },
  };
}
