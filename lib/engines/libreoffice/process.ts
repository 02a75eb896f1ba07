import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { SandboxLevel } from "#lib/sandbox-level.ts";
import type { SandboxView } from "../sandbox/bubblewrap/arguments.ts";
import { currentSandbox } from "../sandbox/current-sandbox.ts";
import { EngineMissingError } from "../sandbox/failures/errors.ts";
import { requireSandbox } from "../sandbox/require-sandbox.ts";
import { startEngine } from "../sandbox/run-engine.ts";
import type { ResourceLimits, RunningProcess, SpawnRequest } from "../sandbox/spawn.ts";
import {
  type JsonLinesOptions,
  JsonLinesProcess,
  type JsonLinesReply,
} from "../warm/json-lines-process.ts";
import { SlotFolder } from "../warm/slot-folder.ts";
import type { WarmProcess } from "../warm/warm-process.ts";
import { removeLeftSockets, socketFolder } from "./left-sockets.ts";

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

/** The time for a start. At the first one, soffice fills its profile and restarts. */
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

  private constructor(slot: SlotFolder, bridge: JsonLinesProcess) {
    this.slot = slot;
    this.#bridge = bridge;
  }

  /** Rejects with `EngineMissingError`, or with `EngineError` if it does not start. */
  static async start(limits: Partial<ResourceLimits> = {}): Promise<LibreOfficeProcess> {
    const installation = findLibreOffice();
    if (!installation) throw new EngineMissingError("libreoffice");
    await requireSandbox("LibreOffice");
    const slot = await SlotFolder.create("libreoffice");
    const { level } = await currentSandbox();
    if (level !== "full") await mkdir(profilesOf(slot.root), { mode: 0o700 });
    let running: RunningProcess | undefined;
    try {
      const used = { memoryBytes, fileBytes, ...limits };
      running = await startEngine(libreOfficeCommand(installation, slot.view, level), used);
      const bridge = await JsonLinesProcess.connect("libreoffice", running, startTimeoutMs);
      return new LibreOfficeProcess(slot, bridge);
    } catch (error) {
      running?.kill();
      await removeFiles(slot);
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
    await removeFiles(this.slot);
  }
}

/** Removes the slot folder with what LibreOffice keeps outside of it, except at the level `full`. */
async function removeFiles(slot: SlotFolder): Promise<void> {
  await slot.remove();
  await rm(profilesOf(slot.root), { recursive: true, force: true, maxRetries: 3 });
  await rm(socketOf(slot.root), { force: true });
  if ((await currentSandbox()).level !== "full") await removeLeftSockets();
}

/**
 * Where Debian's packages keep what they install for all users. Without it LibreOffice starts, but it aborts
 * if the folder exists and cannot be read, as at the level `strict`.
 */
const sharedExtensions = "/var/spool/libreoffice";

/** The folder of the profiles at the levels `strict` and `off`: at `full`, they are in memory. */
function profilesOf(slotFolder: string): string {
  return `${slotFolder}-profiles`;
}

/** What soffice and the bridge call their pipe. */
function pipeOf(slotFolder: string): string {
  return `mediamill-${basename(slotFolder)}`;
}

/** The path of the UNIX socket that LibreOffice makes of it. */
function socketOf(slotFolder: string): string {
  return join(socketFolder, `OSL_PIPE_${pipeOf(slotFolder)}`);
}

/** The command of LibreOffice on the slot folder of `view`, and what it can access. */
export function libreOfficeCommand(
  { soffice, python }: Installation,
  view: SandboxView,
  level: SandboxLevel,
): SpawnRequest {
  const bridge = join(import.meta.dirname, "bridge.py");
  const hasExtensions =
    level === "strict" && existsSync(/* turbopackIgnore: true */ sharedExtensions);
  const scratch = level === "full" ? "/tmp" : profilesOf(view.folder);
  return {
    command: python,
    args: [bridge, soffice, join(scratch, "profile"), pipeOf(view.folder)],
    ...view,
    readable: [bridge, ...(hasExtensions ? [sharedExtensions] : [])],
    connection: { family: "unix", socket: socketOf(view.folder), relay: [] },
    ...(level === "full" ? {} : { scratch: [scratch] }),
  };
}
