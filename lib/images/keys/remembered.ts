import { channels } from "#lib/db/channels.ts";
import { listen } from "#lib/db/listen.ts";
import { log } from "#lib/log.ts";

/**
 * Values that each picture needs, such as the key of its URL, read from the database once. They are
 * read again after a second, and at once if another process says that they have changed.
 */

const lifetimeMs = 1000;
const maxEntries = 10_000;

interface Entry<Value> {
  readonly value: Promise<Value>;
  readonly expiresAt: number;
}

const stores = new Set<Map<string, unknown>>();
let isListening = false;

/** Makes the function that remembers what `read` returns for an id. */
export function remember<Value>(
  read: (id: string) => Promise<Value>,
): (id: string) => Promise<Value> {
  const entries = new Map<string, Entry<Value>>();
  stores.add(entries);
  return (id) => {
    const known = entries.get(id);
    if (known && known.expiresAt > Date.now()) return known.value;
    listenForChanges();
    const value = read(id);
    const entry = { value, expiresAt: Date.now() + lifetimeMs };
    value.catch(() => {
      if (entries.get(id) === entry) entries.delete(id);
    });
    if (entries.size >= maxEntries) entries.clear();
    entries.set(id, entry);
    return value;
  };
}

/** Forgets everything, after a change by this process. */
export function forgetRemembered(): void {
  for (const entries of stores) entries.clear();
}

function listenForChanges(): void {
  if (isListening) return;
  isListening = true;
  listen(channels.imagesChanged, forgetRemembered, forgetRemembered).catch((err) => {
    log.warn({ err }, "changes of image keys not listened to");
    isListening = false;
  });
}
