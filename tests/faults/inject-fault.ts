import type { Job } from "#lib/jobs/view/job.ts";
import { momentNamed } from "./fault-points.ts";
import { type FaultInput, sound, textAt } from "./inputs.ts";
import type { FaultService } from "./service.ts";
import { isBack, killPart, type Victim } from "./targets.ts";

/**
 * Kills a part of the service at a moment of a job, lets everything else go on, and answers what
 * does not hold once all has come to rest.
 */
export async function strike(
  service: FaultService,
  momentName: string,
  victim: Victim,
): Promise<string[]> {
  const { dataDir } = service.stack;
  const held = await momentNamed(momentName).hold(service);
  const inputs = [textAt(service.folder, service.hostUrl), sound()];
  const jobs = Promise.all(inputs.map((input) => service.ask(input)));
  jobs.catch(() => {}); // told below
  const killed = await held
    .reached()
    .then(() => killPart(dataDir, victim))
    .finally(() => held.release());
  const ended = await jobs;
  await isBack(dataDir, victim, killed);
  const outputs = new Map<Job, FaultInput>();
  for (const [index, job] of ended.entries()) {
    const input = inputs[index];
    if (input) outputs.set(job, input);
  }
  return service.violations(outputs);
}
