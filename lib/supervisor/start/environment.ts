import type { Env } from "#lib/env.ts";

/** The parsed environment. Imported late: an invalid value throws `EnvError` while the module loads. */
export async function loadEnvironment(): Promise<Env> {
  const { env } = await import("#lib/env.ts");
  return env;
}
