import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectFolder } from "./bubblewrap/arguments.ts";
import { EngineError, EngineMissingError, type EngineName } from "./failures/errors.ts";
import { processPath } from "./folder/process-folder.ts";
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
  jpegtran: [{ command: "jpegtran", args: ["-version"], pattern: /version ([\d.]+)/ }],
  cjxl: [{ command: "cjxl", args: ["--version"], pattern: /v([\d.]+)/ }],
  tesseract: [{ command: "tesseract", args: ["--version"], pattern: /tesseract ([\d.]+)/ }],
  ocrmypdf: [{ command: "ocrmypdf", args: ["--version"], pattern: /([\d.]+)/ }],
  ghostscript: [{ command: "gs", args: ["--version"], pattern: /([\d.]+)/ }],
  poppler: [{ command: "pdfinfo", args: ["-v"], pattern: /version ([\d.]+)/ }],
};

/** All engines. The keys of the table are their names. */
export const engineNames = Object.keys(commands) as readonly EngineName[];

/** What the check of one engine found. */
export interface EngineVersion {
  /** The version of the engine; null if it is missing or does not start. */
  readonly version: string | null;
  /** Why an engine that is installed does not start; untrusted text. */
  readonly failure?: string;
}

/** Finds out whether an engine is installed and starts. Starts at most one process of each of its commands. */
export async function readEngineVersion(engine: EngineName): Promise<EngineVersion> {
  if (engine === "image") return { version: await readSharpVersion() };
  const folder = processPath("versions");
  await mkdir(folder, { recursive: true });
  let failure: string | undefined;
  for (const { command, args, pattern } of commands[engine]) {
    try {
      const output = await runEngine({
        engine,
        command,
        args,
        folder,
        writable: [],
        limits: { timeoutMs: 20_000 },
      });
      const text = `${output.stdout}${output.stderrTail}`;
      return { version: pattern.exec(text)?.[1] ?? "unknown" };
    } catch (error) {
      // The next one is tried.
      if (error instanceof EngineMissingError) continue;
      if (!(error instanceof EngineError)) throw error;
      failure = error.stderrTail.trim().split("\n").at(-1) || error.message;
    }
  }
  return { version: null, ...(failure === undefined ? {} : { failure }) };
}

/** Reads the version from sharp's manifest, because only sandboxed workers load the library. */
async function readSharpVersion(): Promise<string> {
  const manifest = join(projectFolder(), "node_modules/sharp/package.json");
  const { version }: { version: string } = JSON.parse(await readFile(manifest, "utf8"));
  return version;
}
