import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FaultPoint } from "#lib/no-faults.ts";
import { waitUntil } from "../support/processes.ts";
import type { ArmedFault } from "./faults.ts";

/** What a test plans for processes that it starts with `variables`: see `faults.ts`. */
export class FaultPlan {
  readonly #folder = mkdtempSync(join(tmpdir(), "mediamill-faults-"));

  /** The environment of a process that obeys this plan. */
  get variables(): Record<string, string> {
    return {
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --conditions=mediamill-test`.trim(),
      MEDIAMILL_FAULTS: this.#folder,
    };
  }

  arm(moment: FaultPoint, fault: ArmedFault): void {
    const path = this.#path(moment, "armed");
    writeFileSync(`${path}.draft`, JSON.stringify(fault));
    renameSync(`${path}.draft`, path);
  }

  disarm(moment: FaultPoint): void {
    rmSync(this.#path(moment, "armed"), { force: true });
  }

  /** The process that has reached the moment; undefined while none has. */
  reachedBy(moment: FaultPoint): number | undefined {
    const path = this.#path(moment, "reached");
    // Renamed into place before the process writes itself into it.
    const pid = existsSync(path) ? Number(readFileSync(path, "utf8")) : Number.NaN;
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  }

  /** Resolves with the process that has reached the moment. */
  async reached(moment: FaultPoint, timeoutMs: number): Promise<number> {
    await waitUntil(() => this.reachedBy(moment) !== undefined, timeoutMs);
    return this.reachedBy(moment) ?? 0;
  }

  /** Lets a held process go on; the moment can be armed again. */
  release(moment: FaultPoint): void {
    rmSync(this.#path(moment, "reached"), { force: true });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #path(moment: FaultPoint, state: "armed" | "reached"): string {
    return join(this.#folder, `${moment}.${state}`);
  }
}
