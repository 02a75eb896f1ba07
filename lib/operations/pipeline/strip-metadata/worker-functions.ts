import { workerFunction } from "#lib/engines/worker/worker-function.ts";

const load = () => import(/* turbopackIgnore: true */ "./scrub-tasks.ts");

export const planPatches = workerFunction(import.meta.url, async () => (await load()).planPatches);

export const scrub = workerFunction(import.meta.url, async () => (await load()).scrub);
