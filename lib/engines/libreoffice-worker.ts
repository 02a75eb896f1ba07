import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { EngineMissingError } from "./errors.ts";
import { LineProcess, type LineReply } from "./line-process.ts";
import { watchMemory } from "./memory-watch.ts";
import { ownPath } from "./own-folder.ts";
import { killGroup, startEngine } from "./process.ts";
import { sandboxLevel } from "./sandbox.ts";
import type { WarmWorker } from "./warm-pool.ts";
import { WorkFolder } from "./work-folder.ts";

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
  readonly slot: WorkFolder;
  readonly #bridge: LineProcess;
  readonly #stopWatching: () => void;

  private constructor(slot: WorkFolder, bridge: LineProcess, stopWatching: () => void) {
    this.slot = slot;
    this.#bridge = bridge;
    this.#stopWatching = stopWatching;
  }

  /** Throws `EngineMissingError`, or `EngineError` where it does not start. */
  static async open(index: number): Promise<LibreOfficeWorker> {
    const installation = findLibreOffice();
    if (!installation) throw new EngineMissingError("libreoffice");
    const slot = WorkFolder.create(ownPath("slots", `libreoffice-${index}`));
    await slot.empty();
    // Left by a process of the same number, where there was no sandbox to take it away.
    if (sandboxLevel() !== "full") rmSync(profileOf(slot), { recursive: true, force: true });
    const bridge = join(import.meta.dirname, "libreoffice-bridge.py");
    const fontCache = "/var/cache/fontconfig";
    const child = startEngine(
      {
        engine: "libreoffice",
        command: installation.python,
        args: [bridge, installation.soffice, profileOf(slot)],
        folder: slot.root,
        readable: [bridge, ...[fontCache].filter((path) => existsSync(path))],
      },
      { fileBytes },
    );
    const stopWatching = watchMemory(child.pid ?? 0, memoryBytes, () => killGroup(child));
    try {
      const line = await LineProcess.open("libreoffice", child, startTimeoutMs);
      return new LibreOfficeWorker(slot, line, stopWatching);
    } catch (error) {
      stopWatching();
      killGroup(child);
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
    this.#stopWatching();
    this.#bridge.close();
    rmSync(this.slot.root, { recursive: true, force: true });
    if (sandboxLevel() !== "full") rmSync(profileOf(this.slot), { recursive: true, force: true });
  }
}

/** Inside the sandbox its own memory, which goes with it; else a folder beside the slot. */
function profileOf(slot: WorkFolder): string {
  return sandboxLevel() === "full" ? "/tmp/profile" : `${slot.root}-profile`;
}
