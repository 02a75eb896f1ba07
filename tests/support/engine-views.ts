import { chromiumCommand, findChromium } from "#lib/engines/chromium/command.ts";
import { exiftoolCommand } from "#lib/engines/exiftool/process.ts";
import { findLibreOffice, libreOfficeCommand } from "#lib/engines/libreoffice/process.ts";
import { findPython, qpdfCommand } from "#lib/engines/pdf/qpdf-process.ts";
import { currentSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import type { SpawnRequest } from "#lib/engines/sandbox/spawn.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import type { SlotFolder } from "#lib/engines/warm/slot-folder.ts";
import { workerCommand } from "#lib/engines/worker/process.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import type { SandboxLevel } from "#lib/sandbox-level.ts";

const { level: currentLevel } = await currentSandbox();

type CommandOf = (slot: SlotFolder, level?: SandboxLevel) => SpawnRequest;

/** The commands of the warm engines that read files of jobs, by what a test calls the engine. */
export const warmCommands: Record<string, CommandOf> = {
  "a worker": ({ view }) => workerCommand(view),
  exiftool: ({ view }) => exiftoolCommand(view),
  qpdf: ({ view }) => qpdfCommand(findPython(), view),
  LibreOffice: ({ view }, level = currentLevel) =>
    libreOfficeCommand(findLibreOffice() ?? missing(), view, level),
};

/** The commands of all kinds of engines. The slot folder becomes the work folder of an engine of one job. */
export const engineCommands: Record<string, CommandOf> = {
  ...warmCommands,
  Chromium: ({ root }, level = currentLevel) =>
    chromiumCommand(findChromium() ?? missing(), root, level),
  "an engine of one job": ({ root }) => ({
    command: "",
    args: [],
    ...WorkFolder.create(root, { network: noNetwork }).view,
  }),
};

function missing(): never {
  throw new Error("an engine is not installed");
}
