import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { hasEngine } from "#lib/engine-groups.ts";
import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { projectFolder } from "./bubblewrap.ts";
import { EngineError, EngineMissingError, type EngineName } from "./errors.ts";
import { processPath } from "./process-folder.ts";
import { runEngine } from "./run-engine.ts";

interface VersionCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Its first group is the version. */
  readonly pattern: RegExp;
}

/** How to read the version of each engine. The first installed command is used. */
const commands: Readonly<Record<EngineName, readonly VersionCommand[]>> = {
  ffmpeg: [{ command: "ffmpeg", args: ["-version"], pattern: /version (\S+)/ }],
  ffprobe: [{ command: "ffprobe", args: ["-version"], pattern: /version (\S+)/ }],
  // Read from sharp's manifest.
  image: [],
  chromium: ["chromium-headless-shell", "chromium"].map((command) => ({
    command,
    args: ["--version"],
    pattern: /([\d.]{3,})/,
  })),
  libreoffice: [{ command: "soffice", args: ["--version"], pattern: /LibreOffice ([\d.]+)/ }],
  exiftool: [{ command: "exiftool", args: ["-ver"], pattern: /([\d.]+)/ }],
  vips: [{ command: "vips", args: ["--version"], pattern: /vips-([\d.]+)/ }],
  // dcraw_emu does not print its version, but links the library of one.
  libraw: [
    {
      command: "sh",
      args: ["-c", 'ldd "$(command -v dcraw_emu)"'],
      pattern: /libraw(?:_r)?\.so\.([\d.]+)/,
    },
    { command: "dcraw_emu", args: ["none"], pattern: /version ([\d.]+)/ },
  ],
  qpdf: [{ command: "qpdf", args: ["--version"], pattern: /version ([\d.]+)/ }],
  "7-zip": [{ command: "7zz", args: ["i"], pattern: /7-Zip[^\d]*([\d.]+)/ }],
  cjxl: [{ command: "cjxl", args: ["--version"], pattern: /v([\d.]+)/ }],
  tesseract: [{ command: "tesseract", args: ["--version"], pattern: /tesseract ([\d.]+)/ }],
  ocrmypdf: [{ command: "ocrmypdf", args: ["--version"], pattern: /([\d.]+)/ }],
  ghostscript: [{ command: "gs", args: ["--version"], pattern: /([\d.]+)/ }],
  poppler: [{ command: "pdfinfo", args: ["-v"], pattern: /version ([\d.]+)/ }],
};

/** The version of every engine; null if it is missing or does not start, which is logged, or `MEDIA_ENGINES` leaves it out. */
export async function readEngineVersions(): Promise<Record<EngineName, string | null>> {
  const folder = processPath("versions");
  await mkdir(folder, { recursive: true });
  const versions = await Promise.all(
    Object.entries(commands).map(async ([engine, candidates]) => {
      // The keys of the table are the engines.
      const name = engine as EngineName;
      if (!hasEngine(env.MEDIA_ENGINES, name)) return [name, null];
      return [
        name,
        name === "image" ? await readSharpVersion() : await readVersion(name, candidates, folder),
      ];
    }),
  );
  return Object.fromEntries(versions);
}

/** Read from sharp's manifest, because only sandboxed workers load the library. */
async function readSharpVersion(): Promise<string> {
  const manifest = join(projectFolder(), "node_modules/sharp/package.json");
  const { version }: { version: string } = JSON.parse(await readFile(manifest, "utf8"));
  return version;
}

async function readVersion(
  engine: EngineName,
  candidates: readonly VersionCommand[],
  folder: string,
): Promise<string | null> {
  for (const { command, args, pattern } of candidates) {
    try {
      const output = await runEngine({
        engine,
        command,
        args,
        folder,
        writable: [],
        limits: { timeoutMs: 20_000 },
      });
      return pattern.exec(`${output.stdout}${output.stderrTail}`)?.[1] ?? "unknown";
    } catch (error) {
      // The next one is tried.
      if (error instanceof EngineMissingError) continue;
      if (!(error instanceof EngineError)) throw error;
      const reason = error.stderrTail.trim().split("\n").at(-1);
      log.warn({ engine, command, reason }, "engine is installed but does not start");
    }
  }
  return null;
}
