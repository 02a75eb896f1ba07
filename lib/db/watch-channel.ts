import { listen } from "./client.ts";

/** A notification: whom it concerns, by id, and what it says. */
interface Notification<Message> {
  readonly ids: readonly string[];
  readonly message: Message;
}

/** Undefined: notifications may be lost, anything may have changed. */
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
  let listening: Promise<unknown> | undefined;

  function dispatch(payload: string): void {
    const { ids, message } = parse(payload);
    for (const id of ids) {
      for (const handler of handlers.get(id) ?? []) handler(message);
    }
  }

  /** After a reconnection: notifications sent in between are lost. */
  function dispatchToAll(): void {
    for (const set of handlers.values()) {
      for (const handler of set) handler(undefined);
    }
  }

  return async (id, handler) => {
    listening ??= listen(channel, dispatch, dispatchToAll).catch((error) => {
      listening = undefined;
      throw error;
    });
    await listening;
    const set = handlers.get(id) ?? new Set();
    handlers.set(id, set.add(handler));
    return () => {
      set.delete(handler);
      if (set.size === 0 && handlers.get(id) === set) handlers.delete(id);
    };
  };
}
