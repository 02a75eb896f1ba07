import type { showStep } from "#lib/setup/progress.mjs";
import { buildIfChanged } from "#lib/supervisor/start/build.ts";

/** Builds what the web service needs, unless it is current. `show` reports the progress. */
export function buildService(show?: typeof showStep): Promise<void> {
  return buildIfChanged("scripts/build-packages.ts", show);
}
