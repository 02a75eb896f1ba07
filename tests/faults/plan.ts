import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FaultPoint } from "#lib/no-faults.ts";
import { waitUntil } from "../support/processes.ts";
import type { ArmedFault } from "./faults.ts";

/** The faults that a test injects into processes that it starts with `variables`; see `faults.ts`. */
export class FaultPlan {
  readonly #folder = mkdtempSync(join(tmpdir(), "mediamill-faults-"));

  /** The environment variables of a process that follows this plan. */
  get variables(): Record<string, string> {
    return {
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --conditions=mediamill-test`.trim(),
      MEDIAMILL_FAULTS: this.#folder,
    };
  }

  arm(point: FaultPoint, fault: ArmedFault): void {
    const path = this.#path(point, "armed");
    writeFileSync(`${path}.draft`, JSON.stringify(fault));
    renameSync(`${path}.draft`, path);
  }

  disarm(point: FaultPoint): void {
    rmSync(this.#path(point, "armed"), { force: true });
  }

  /** The id of the process that has reached the fault point; undefined while none has. */
  reachedBy(point: FaultPoint): number | undefined {
    const path = this.#path(point, "reached");
    // The file is renamed into place first; the process writes its id into it afterwards.
    const pid = existsSync(path) ? Number(readFileSync(path, "utf8")) : Number.NaN;
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  }

  /** Resolves with the id of the process that has reached the fault point. */
  async reached(point: FaultPoint, timeoutMs: number): Promise<number> {
    await waitUntil(() => this.reachedBy(point) !== undefined, timeoutMs);
    return this.reachedBy(point) ?? 0;
  }

  /** Releases a held process. Afterwards the fault point can be armed again. */
  release(point: FaultPoint): void {
    rmSync(this.#path(point, "reached"), { force: true });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }

  #path(point: FaultPoint, state: "armed" | "reached"): string {
    return join(this.#folder, `${point}.${state}`);
  }
}
