import { db } from "#lib/db/client.ts";
import { findValidGrants, type Grant, nameGrant } from "#lib/db/queries/accounts/grants.ts";
import { log } from "#lib/log.ts";

export type { Grant } from "#lib/db/queries/accounts/grants.ts";

/**
 * Checks the rights of callers while their requests are open: event streams and long polls. All checks of
 * a process that are asked for while one runs are the next query together, so that many streams need
 * hardly more queries than one.
 */

/** How often the grants of open requests are checked, in milliseconds. */
const checkMs = 3000;

let asked: Grant[] = [];
let next: Promise<ReadonlySet<string>> | undefined;
/** Resolves when the query that runs has ended. */
let running: Promise<unknown> = Promise.resolve();

/** Whether the grant is valid now: the query starts after the call. */
export async function isGrantValid(grant: Grant): Promise<boolean> {
  asked.push(grant);
  next ??= running.then(startCheck);
  return (await next).has(nameGrant(grant));
}

function startCheck(): Promise<ReadonlySet<string>> {
  const unique = new Map(asked.map((grant) => [nameGrant(grant), grant]));
  asked = [];
  next = undefined;
  const check = findValidGrants(db(), [...unique.values()]);
  // Those who asked get the error.
  running = check.catch(() => {});
  return check;
}

/** The requests that are open, by the name of their grant. */
const watched = new Map<string, { readonly grant: Grant; readonly handlers: Set<() => void> }>();
let timer: NodeJS.Timeout | undefined;

/** Calls `onEnd` within 5 s after the grant has become invalid, until the returned function is called. */
export function watchGrant(grant: Grant, onEnd: () => void): () => void {
  const name = nameGrant(grant);
  const entry = watched.get(name) ?? { grant, handlers: new Set() };
  watched.set(name, entry);
  // A function of its own: the same `onEnd` may watch twice.
  const handler = () => onEnd();
  entry.handlers.add(handler);
  timer ??= setInterval(() => void checkWatched(), checkMs).unref();
  return () => {
    entry.handlers.delete(handler);
    if (entry.handlers.size === 0 && watched.get(name) === entry) watched.delete(name);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

async function checkWatched(): Promise<void> {
  const entries = [...watched.values()];
  try {
    const valid = await Promise.all(entries.map(({ grant }) => isGrantValid(grant)));
    for (const { handlers } of entries.filter((_, index) => !valid[index])) {
      for (const handler of [...handlers]) handler();
    }
  } catch (err) {
    // Streams stay open, but send no event without a check.
    log.warn({ err }, "check of open event streams failed");
  }
}
