import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { type Presets, parsePresets } from "./parse-path.ts";

let presets: Presets | undefined;

/** The presets of this installation. Those of an invalid setting are none, and one line of the log says so. */
export function configuredPresets(): Presets {
  presets ??= readPresets();
  return presets;
}

function readPresets(): Presets {
  try {
    return parsePresets(env.IMGPROXY_PRESETS ?? "");
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    log.error({ reason }, "IMGPROXY_PRESETS is not valid; no preset can be used");
    return new Map();
  }
}
