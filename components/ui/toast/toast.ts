"use client";

export interface Message {
  readonly kind: "success" | "error";
  readonly text: string;
}

/**
 * Shows a short message in a corner of the page. The library that renders messages is loaded with
 * the first one.
 */
export const toast = {
  success: (text: string) => push({ kind: "success", text }),
  error: (text: string) => push({ kind: "error", text: text.replaceAll("`", "") }),
};

const queue: Message[] = [];
const listeners = new Set<() => void>();
let render: ((message: Message) => void) | undefined;
let used = false;

function push(message: Message): void {
  if (render) render(message);
  else queue.push(message);
  used = true;
  for (const listener of listeners) listener();
}

/** Whether a message was ever shown; for `useSyncExternalStore`. */
export function hasToasts(): boolean {
  return used;
}

/** Subscribes to changes of `hasToasts`. */
export function onToast(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Renders the queued messages, then each new one, until the returned function is called. */
export function setToastRenderer(renderer: (message: Message) => void): () => void {
  render = renderer;
  for (const message of queue.splice(0)) renderer(message);
  return () => {
    render = undefined;
  };
}
