import { z } from "zod";
import { workerFunction } from "#lib/engines/worker/worker-function.ts";

const side = z.number().int().min(0).max(10_000);
const sceneSchema = z.object({
  left: side,
  top: side,
  width: side.min(2),
  height: side.min(2),
  isDark: z.boolean(),
});

export const drawScene = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./draw-scene.ts")).drawScene,
  sceneSchema,
);
