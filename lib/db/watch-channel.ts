import { idleSeconds } from "./connection.ts";
import { waitForIdleConnections } from "./idle-connections.ts";
import { listen } from "./listen.ts";

/** A notification: whom it concerns, by id, and what it says. */
interface Notification<Message> {
  readonly ids: readonly string[];
  readonly message: Message;
}

/**
 * The function that handles a message; undefined means that notifications may be lost, so that
 * anything may have changed.
 */
type Handler<Message> = (message: Message | undefined) => void;

/**
 * Makes the function that calls a handler for the notifications of a channel that concern an id, until the function
 * to which it resolves is called. One LISTEN connection of this process serves all handlers.
 */
export function createChannelWatcher<Message>(
  channel: string,
  parse: (payload: string) => Notification<Message>,
): (id: string, handler: Handler<Message>) => Promise<() => void> {
  const handlers = new Map<string, Set<Handler<Message>>>();
  let listening: Promise<() => Promise<void>> | undefined;
  let idleTimer: ReturnType<typeof setTimeout> | undefined;

  function dispatch(payload: string): void {
    const { ids, message } = parse(payload);
    for (const id of ids) {
      for (const handler of handlers.get(id) ?? []) handler(message);
    }
  }

  /** Calls all listeners after a reconnection, because notifications sent in between are lost. */
  function dispatchToAll(): void {
    for (const set of handlers.values()) {
      for (const handler of set) handler(undefined);
    }
  }

  /** Resolves while the channel is listened to. */
  async function start(): Promise<void> {
    listening ??= listen(channel, dispatch, dispatchToAll).catch((error) => {
      listening = undefined;
      throw error;
    });
    const started = listening;
    await started;
    // Stopped in the meantime.
    if (started !== listening) await start();
  }

  /** Where idle connections are closed, that of LISTEN is closed too. */
  function stopWhenIdle(): void {
    if (idleSeconds === undefined || handlers.size > 0) return;
    waitForIdleConnections();
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => {
      if (handlers.size > 0) return;
      const stopped = listening;
      listening = undefined;
      // It fails if the connection is lost, and with it what was listened to.
      stopped?.then((stop) => stop()).catch(() => {});
    }, idleSeconds * 1000);
  }

  return async (id, handler) => {
    await start();
    const set = handlers.get(id) ?? new Set();
    handlers.set(id, set.add(handler));
    return () => {
      set.delete(handler);
      if (set.size === 0 && handlers.get(id) === set) handlers.delete(id);
      stopWhenIdle();
    };
  };
}
