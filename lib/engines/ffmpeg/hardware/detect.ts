import { existsSync, mkdirSync } from "node:fs";
import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { EngineError, EngineMissingError } from "../../sandbox/failures/errors.ts";
import { processPath } from "../../sandbox/folder/process-folder.ts";
import { runEngine } from "../../sandbox/run-engine.ts";
import {
  type HardwareKind,
  hardwareEncodings,
  hardwareKinds,
  toHardwareArguments,
} from "./encoders.ts";

/** Whether videos are encoded in hardware: `FFMPEG_HWACCEL`, as far as this machine can. */

let detected: Promise<HardwareKind | undefined> | undefined;

/** The hardware that encodes videos; undefined for software. Detected once, by encoding some frames. */
export function hardware(): Promise<HardwareKind | undefined> {
  detected ??= detectHardware();
  return detected;
}

/** Detects the hardware that `FFMPEG_HWACCEL` asks for. Logs a warning if it is missing. */
async function detectHardware(): Promise<HardwareKind | undefined> {
  const { FFMPEG_HWACCEL: wanted } = env;
  if (wanted === "none") return undefined;
  const candidates = wanted === "auto" ? hardwareKinds : [wanted];
  for (const kind of candidates) {
    if (await canEncode(kind)) return kind;
  }
  log.warn({ wanted }, "no hardware encoder works, videos are encoded in software");
  return undefined;
}

/** Encodes ten frames of a test picture in the sandbox, as a job would. */
export async function canEncode(kind: HardwareKind): Promise<boolean> {
  if (!hardwareEncodings[kind].devices.some((path) => existsSync(path))) return false;
  const folder = processPath("hardware");
  mkdirSync(folder, { recursive: true });
  const software = [
    "-hide_banner",
    "-loglevel",
    "error",
    "-f",
    "lavfi",
    "-i",
    "testsrc2=s=320x240:r=10:d=1",
    "-c:v:0",
    "libx264",
    "-crf",
    "20",
    "-f",
    "null",
    "-",
  ];
  const args = toHardwareArguments(software, kind) ?? [];
  try {
    const limits = { timeoutMs: 20_000 };
    await runEngine({
      engine: "ffmpeg",
      command: "ffmpeg",
      args,
      folder,
      writable: [],
      ...accessOf(kind),
      limits,
    });
    return true;
  } catch (error) {
    if (error instanceof EngineMissingError) return false;
    if (!(error instanceof EngineError)) throw error;
    log.warn({ kind, detail: error.stderrTail.slice(-500) }, "hardware encoder does not work");
    return false;
  }
}

/** What the sandbox of an ffmpeg with hardware contains in addition. */
export function accessOf(kind: HardwareKind) {
  const { devices, readable } = hardwareEncodings[kind];
  return { devices, readable: readable.filter((path) => existsSync(path)) };
}
