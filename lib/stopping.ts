const never = new AbortController().signal;

/**
 * Aborted when the web process begins to shut down, so that open requests can end at once. Never
 * aborted in other processes. The server stores the signal in a global symbol, because Next.js bundles
 * the routes, and a module of the server cannot be shared with them.
 */
export function stoppingSignal(): AbortSignal {
  const signal: unknown = Reflect.get(globalThis, Symbol.for("mediamill.stopping"));
  return signal instanceof AbortSignal ? signal : never;
}
