import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { EngineMissingError } from "../sandbox/errors.ts";
import { currentSandbox } from "../sandbox/level.ts";
import { startEngine } from "../sandbox/process.ts";
import type { SpawnRequest, UseLimits } from "../sandbox/spawn.ts";
import { LineProcess, type LineReply } from "../warm/line-process.ts";
import type { WarmWorker } from "../warm/pool.ts";
import { Slot } from "../warm/slot.ts";

/** A LibreOffice and the Python that has its UNO bindings. */
interface Installation {
  readonly soffice: string;
  readonly python: string;
}

const macProgram = "/Applications/LibreOffice.app/Contents";

const installations: readonly Installation[] = [
  { soffice: "/usr/lib/libreoffice/program/soffice.bin", python: "python3" },
  { soffice: "/usr/lib64/libreoffice/program/soffice.bin", python: "python3" },
  { soffice: `${macProgram}/MacOS/soffice`, python: `${macProgram}/Resources/python` },
];

/** A first start fills its profile and then starts again. */
const startTimeoutMs = 60_000;

/** soffice and its bridge together; an empty one uses some 100 MB. */
const memoryBytes = 2 * 2 ** 30;

const fileBytes = 2 * 2 ** 30;

/** The LibreOffice of this machine, if it has one. */
export function findLibreOffice(): Installation | undefined {
  return installations.find(({ soffice }) => existsSync(soffice));
}

/** One warm soffice and the bridge that drives it, both in one sandbox around one slot folder. */
export class LibreOfficeWorker implements WarmWorker {
  readonly slot: Slot;
  readonly #bridge: LineProcess;
  readonly #profile: string | undefined;

  private constructor(slot: Slot, bridge: LineProcess, profile: string | undefined) {
    this.slot = slot;
    this.#bridge = bridge;
    this.#profile = profile;
  }

  /** Throws `EngineMissingError`, or `EngineError` where it does not start. */
  static async open(limits: Partial<UseLimits> = {}): Promise<LibreOfficeWorker> {
    const installation = findLibreOffice();
    if (!installation) throw new EngineMissingError("libreoffice");
    const slot = await Slot.create("libreoffice");
    // Inside the sandbox the profile is in its own memory, which goes with it; else beside the slot.
    const { isolated } = await currentSandbox();
    const profile = isolated ? undefined : `${slot.root}-profile`;
    const command = libreOfficeCommand(installation, slot.root, profile);
    const running = await startEngine(command, { memoryBytes, fileBytes, ...limits });
    try {
      const line = await LineProcess.open("libreoffice", running, startTimeoutMs);
      return new LibreOfficeWorker(slot, line, profile);
    } catch (error) {
      running.kill();
      await slot.remove();
      throw error;
    }
  }

  get healthy(): boolean {
    return this.#bridge.healthy;
  }

  request(
    message: unknown,
    options: { timeoutMs: number; signal: AbortSignal },
  ): Promise<LineReply> {
    return this.#bridge.request(message, options);
  }

  reset(): Promise<void> {
    return this.slot.empty();
  }

  async close(): Promise<void> {
    this.#bridge.close();
    await this.slot.remove();
    if (this.#profile) await rm(this.#profile, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** How an office is started on the slot folder `folder`, and what it sees. */
export function libreOfficeCommand(
  { soffice, python }: Installation,
  folder: string,
  profile = "/tmp/profile",
): SpawnRequest {
  const bridge = join(import.meta.dirname, "bridge.py");
  const fontCache = "/var/cache/fontconfig";
  return {
    command: python,
    args: [bridge, soffice, profile],
    folder,
    readable: [bridge, ...[fontCache].filter((path) => existsSync(path))],
  };
}
