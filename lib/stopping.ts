const never = new AbortController().signal;

/**
 * Aborted when the web process begins to stop, so that whoever holds a request open answers it now;
 * never, in other processes. The server keeps the signal under this name, because Next.js bundles
 * its routes: a module cannot be shared with them.
 */
export function stoppingSignal(): AbortSignal {
  const signal: unknown = Reflect.get(globalThis, Symbol.for("mediamill.stopping"));
  return signal instanceof AbortSignal ? signal : never;
}
