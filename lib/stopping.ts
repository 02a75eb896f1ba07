const never = new AbortController().signal;

/**
 * The signal that is aborted when the web process begins to shut down, so that open requests can
 * end at once. It is never aborted in other processes. The server stores the signal in a global
 * symbol, because Next.js bundles the routes, and a module of the server cannot be shared with
 * them.
 */
export function stoppingSignal(): AbortSignal {
  const signal: unknown = Reflect.get(globalThis, Symbol.for("mediamill.stopping"));
  return signal instanceof AbortSignal ? signal : never;
}

const finalWorkKey = Symbol.for("mediamill.finalWork");

/** Work of this process, also that of modules of which Next.js has a copy. */
function finalWork(): Set<() => Promise<void>> {
  const known: unknown = Reflect.get(globalThis, finalWorkKey);
  if (known instanceof Set) return known;
  const created = new Set<() => Promise<void>>();
  Object.assign(globalThis, { [finalWorkKey]: created });
  return created;
}

/** Does `work` when the last request of the web process has ended, before the process exits. */
export function beforeExit(work: () => Promise<void>): void {
  finalWork().add(work);
}

/** Does what `beforeExit` was given. */
export async function finishWork(): Promise<void> {
  await Promise.all([...finalWork()].map((work) => work()));
}
