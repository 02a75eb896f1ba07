import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import type { Inngest, InngestFunction } from "inngest";
import { ConnectionState, connect } from "inngest/connect";
import { log } from "#lib/log.ts";

/** How long a connection may take to be made before the log says what to look at. */
const connectMs = 10_000;

/** An app's connection to Inngest, which is made, and made again, in the background. */
export interface AppConnection {
  /** Whether work can arrive now. */
  isActive(): boolean;
  /** Takes no more work; resolves when what runs has been answered, or after `withinMs`. */
  close(withinMs: number): Promise<void>;
}

/**
 * Connects `client` and its functions, of which `places` run at once in this process. A server that
 * is away is no reason not to start: the SDK tries until it is there.
 */
export function connectApp(
  client: Inngest,
  functions: InngestFunction.Any[],
  places: number,
): AppConnection {
  const { id: app } = client;
  const slow = setTimeout(() => {
    const hint = "is INNGEST_BASE_URL right, and INNGEST_SIGNING_KEY one of its keys?";
    log.warn({ app }, `not connected to Inngest yet; ${hint}`);
  }, connectMs);
  let connection: Awaited<ReturnType<typeof connect>> | undefined;
  const connected = connect({
    apps: [{ client, functions }],
    // Capacity is counted by it: two runners on one machine are two.
    instanceId: `${app}-${hostname()}-${process.pid}`,
    maxWorkerConcurrency: places,
    // Signals are ours to handle: what runs is handed back first.
    handleShutdownSignals: [],
    // Engines are processes of their own: nothing here keeps the heartbeat waiting.
    isolateExecution: false,
  });
  void connected.then((made) => {
    clearTimeout(slow);
    connection = made;
    log.info({ app, places }, "connected to Inngest");
  });
  return {
    isActive: () => connection?.state === ConnectionState.ACTIVE,
    async close(withinMs) {
      clearTimeout(slow);
      await Promise.race([connection?.close(), wait(withinMs, undefined, { ref: false })]);
    },
  };
}
