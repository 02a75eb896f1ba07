import { env } from "#lib/env.ts";
import { createSecret, rotateSecretFile, secretFiles } from "#lib/supervisor/start/secrets.ts";

/**
 * Replaces the generated secret, and keeps it as the previous one. If `SECRET` is set in the environment,
 * changes nothing, and returns the variables to set.
 */
export function rotateSecret(): Readonly<Record<string, string>> {
  if (env.SECRET) return { SECRET: createSecret(), SECRET_PREVIOUS: env.SECRET };
  rotateSecretFile(env.DATA_DIR);
  const { current, previous } = secretFiles(env.DATA_DIR);
  return { secret: current, previous, next: "restart the services" };
}
