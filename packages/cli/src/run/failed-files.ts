import type { Failure } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { type FileState, inputStates, keyOf } from "./done-files.ts";
import type { Task } from "./plan.ts";
import type { RunRequest } from "./request.ts";

/** Failures that the same files give again: the service or the job has rejected them. */
const final = new Set<number>([exitCodes.rejected, exitCodes.job]);

/** The files of this call that were rejected, so that watching does not send them again until they change. */
export class FailedFiles {
  readonly #states = new Map<string, string>();

  /** Adds a task whose failure another run cannot change. `states` are those of its inputs. */
  add(task: Task, states: readonly FileState[], { exitCode }: Failure): void {
    if (final.has(exitCode)) this.#states.set(keyOf(task), JSON.stringify(states));
  }

  /** The tasks without those that have failed and whose inputs are as they were. */
  async withoutUnchanged(tasks: readonly Task[], request: RunRequest): Promise<Task[]> {
    const states = await Promise.all(tasks.map((task) => inputStates(task, request)));
    return tasks.filter(
      (task, index) => this.#states.get(keyOf(task)) !== JSON.stringify(states[index]),
    );
  }
}
