import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { SandboxView } from "../sandbox/bubblewrap.ts";
import { currentSandbox } from "../sandbox/current-sandbox.ts";
import { EngineMissingError } from "../sandbox/errors.ts";
import { requireSandbox } from "../sandbox/require-sandbox.ts";
import { startEngine } from "../sandbox/run-engine.ts";
import type { ResourceLimits, SpawnRequest } from "../sandbox/spawn.ts";
import {
  type JsonLinesOptions,
  JsonLinesProcess,
  type JsonLinesReply,
} from "../warm/json-lines-process.ts";
import type { WarmProcess } from "../warm/pool.ts";
import { SlotFolder } from "../warm/slot-folder.ts";

/** LibreOffice and a Python with its UNO bindings. */
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

/** At the first start, soffice fills its profile and restarts. */
const startTimeoutMs = 60_000;

/** soffice and its bridge together; without a document they use about 100 MB. */
const memoryBytes = 2 * 2 ** 30;

const fileBytes = 2 * 2 ** 30;

/** The LibreOffice that is installed on this machine. */
export function findLibreOffice(): Installation | undefined {
  return installations.find(({ soffice }) => existsSync(soffice));
}

/** A warm soffice and the bridge that controls it, in one sandbox with one slot folder. */
export class LibreOfficeProcess implements WarmProcess {
  readonly slot: SlotFolder;
  readonly #bridge: JsonLinesProcess;
  readonly #profile: string | undefined;

  private constructor(slot: SlotFolder, bridge: JsonLinesProcess, profile: string | undefined) {
    this.slot = slot;
    this.#bridge = bridge;
    this.#profile = profile;
  }

  /** Rejects with `EngineMissingError`, or with `EngineError` if it does not start. */
  static async start(limits: Partial<ResourceLimits> = {}): Promise<LibreOfficeProcess> {
    const installation = findLibreOffice();
    if (!installation) throw new EngineMissingError("libreoffice");
    await requireSandbox("LibreOffice");
    const slot = await SlotFolder.create("libreoffice");
    // In the sandbox, the profile is in memory. Without it, the profile is next to the slot folder.
    const isolated = (await currentSandbox()).level !== "off";
    const profile = isolated ? undefined : `${slot.root}-profile`;
    const command = libreOfficeCommand(installation, slot.view, profile);
    const running = await startEngine(command, { memoryBytes, fileBytes, ...limits });
    try {
      const bridge = await JsonLinesProcess.connect("libreoffice", running, startTimeoutMs);
      return new LibreOfficeProcess(slot, bridge, profile);
    } catch (error) {
      running.kill();
      await slot.remove();
      throw error;
    }
  }

  get healthy(): boolean {
    return this.#bridge.healthy;
  }

  get peakMemoryBytes(): number | undefined {
    return this.#bridge.peakMemoryBytes;
  }

  /** Rejects as `JsonLinesProcess.request` does. */
  request(message: unknown, options: JsonLinesOptions): Promise<JsonLinesReply> {
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

/** The command of LibreOffice on the slot folder of `view`, and what it can access. */
export function libreOfficeCommand(
  { soffice, python }: Installation,
  view: SandboxView,
  profile = "/tmp/profile",
): SpawnRequest {
  const bridge = join(import.meta.dirname, "bridge.py");
  const fontCache = "/var/cache/fontconfig";
  return {
    command: python,
    args: [bridge, soffice, profile],
    ...view,
    readable: [
      bridge,
      ...[fontCache].filter((path) => existsSync(/* turbopackIgnore: true */ path)),
    ],
  };
}
