import type { Job } from "#lib/jobs/view/job.ts";
import { findHoldPoint } from "./fault-points.ts";
import { createAudioInput, createTextInput, type FaultInput } from "./inputs.ts";
import type { FaultService } from "./service.ts";
import { killService, type Target, waitForKill, waitForRestart } from "./targets.ts";

/**
 * Kills the service `target` at a fault point while two jobs run, or lets it `hang` there until the
 * supervisor kills it. Resolves with the violated guarantees after all jobs have ended and the service has
 * recovered; empty if there are none.
 */
export async function injectFault(
  service: FaultService,
  pointName: string,
  target: Target,
  fault: "kill" | "hang" = "kill",
): Promise<string[]> {
  const { dataDir } = service.stack;
  const held = await findHoldPoint(pointName).hold(service);
  const inputs = [createTextInput(service.folder, service.hostUrl), createAudioInput()];
  const jobs = Promise.all(inputs.map((input) => service.submit(input)));
  jobs.catch(() => {}); // awaited below
  const killed = await held
    .reached()
    .then(() => (fault === "kill" ? killService(dataDir, target) : waitForKill(dataDir, target)))
    .finally(() => held.release());
  const ended = await jobs;
  await waitForRestart(dataDir, target, killed);
  const outputs = new Map<Job, FaultInput>();
  for (const [index, job] of ended.entries()) {
    const input = inputs[index];
    if (input) outputs.set(job, input);
  }
  return service.findViolations(outputs);
}
