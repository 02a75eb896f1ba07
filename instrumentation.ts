/**
 * Next.js calls this when its server starts, before the first request: on hosts that run only Next.js.
 * Our own server has started tracing before.
 */
export async function register(): Promise<void> {
  const { env } = await import("#lib/env.ts");
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT) return;
  const [{ startTracing }, { log }] = await Promise.all([
    import("#lib/tracing/start.ts"),
    import("#lib/log.ts"),
  ]);
  startTracing(env, log);
}
