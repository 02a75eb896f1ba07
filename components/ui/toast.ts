"use client";

interface Message {
  readonly kind: "success" | "error";
  readonly text: string;
}

/**
 * What is to be said in a corner of the page. The library that draws it is loaded with the first
 * message, so that pages which say nothing do without it.
 */
export const toast = {
  success: (text: string) => say({ kind: "success", text }),
  error: (text: string) => say({ kind: "error", text }),
};

const waiting: Message[] = [];
const listeners = new Set<() => void>();
let show: ((message: Message) => void) | undefined;
let wanted = false;

function say(message: Message): void {
  if (show) show(message);
  else waiting.push(message);
  wanted = true;
  for (const listener of listeners) listener();
}

/** Whether anything was ever to be said; for `useSyncExternalStore`. */
export function isWanted(): boolean {
  return wanted;
}

export function onWanted(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Hands over to what draws: first the messages that waited for it, then each as it comes. */
export function drawWith(draw: (message: Message) => void): () => void {
  show = draw;
  for (const message of waiting.splice(0)) draw(message);
  return () => {
    show = undefined;
  };
}
