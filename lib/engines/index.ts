import { hasEngine } from "#lib/engine-groups.ts";
import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { closeChromium } from "./chromium/chromium.ts";
import { closeExiftool } from "./exiftool/exiftool.ts";
import { closeLibreOffice } from "./libreoffice/libreoffice.ts";
import { closeQpdf } from "./pdf/run-qpdf.ts";
import { closeSandbox } from "./sandbox/current-sandbox.ts";
import { closeTypeDetection } from "./sniff/detect-type.ts";
import { warmUps } from "./warm-ups.ts";
import { closeWorkerPool } from "./worker/pool.ts";

export { hardware } from "./ffmpeg/hardware/detect.ts";
export { EngineHealth } from "./health.ts";

/** Starts the warm engines before they are needed, one after the other. Failures are logged. */
export async function warmUpEngines(): Promise<void> {
  for (const [engine, warmUp] of Object.entries(warmUps)) {
    if (!hasEngine(env.MEDIA_ENGINES, engine)) continue;
    await warmUp().catch((err) => log.warn({ err, engine }, "engine failed to start"));
  }
}

/** Stops every engine process of this runner and removes its control groups. */
export async function closeEngines(): Promise<void> {
  await Promise.all([
    closeTypeDetection(),
    closeWorkerPool(),
    closeChromium(),
    closeExiftool(),
    closeLibreOffice(),
    closeQpdf(),
  ]);
  await closeSandbox();
}
