import { log } from "#lib/log.ts";
import { closeChromium, warmChromium } from "./chromium/chromium.ts";
import { closeExiftool, warmExiftool } from "./exiftool/exiftool.ts";
import { closeLibreOffice, warmLibreOffice } from "./libreoffice/libreoffice.ts";
import { closeSandbox } from "./sandbox/level.ts";
import { closeImagePool, warmImagePool } from "./worker/pool.ts";

export { inspectEngines } from "./sandbox/versions.ts";

const warmers = {
  image: warmImagePool,
  chromium: warmChromium,
  exiftool: warmExiftool,
  libreoffice: warmLibreOffice,
};

/** Starts the warm engines ahead of need, one after the other; one that does not start is told in the log. */
export async function warmEngines(): Promise<void> {
  for (const [engine, warm] of Object.entries(warmers)) {
    await warm().catch((err) => log.warn({ err, engine }, "an engine did not start"));
  }
}

/** Ends every engine process of this runner, and takes away its sandbox's traces. */
export async function closeEngines(): Promise<void> {
  await Promise.all([closeImagePool(), closeChromium(), closeExiftool(), closeLibreOffice()]);
  await closeSandbox();
}
