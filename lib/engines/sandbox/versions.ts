import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectFolder } from "./bubblewrap.ts";
import { EngineError, EngineMissingError, type EngineName } from "./errors.ts";
import { runEngine } from "./process.ts";
import { processPath } from "./process-folder.ts";

interface VersionCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The version is the first group. */
  readonly pattern: RegExp;
}

/** How each engine is asked for its version. The first command that is there answers. */
const commands: Readonly<Record<EngineName, readonly VersionCommand[]>> = {
  ffmpeg: [{ command: "ffmpeg", args: ["-version"], pattern: /version (\S+)/ }],
  ffprobe: [{ command: "ffprobe", args: ["-version"], pattern: /version (\S+)/ }],
  // sharp brings libvips with it; its own version is the one that tells.
  image: [],
  chromium: ["chromium-headless-shell", "chromium"].map((command) => ({
    command,
    args: ["--version"],
    pattern: /([\d.]{3,})/,
  })),
  libreoffice: [{ command: "soffice", args: ["--version"], pattern: /LibreOffice ([\d.]+)/ }],
  exiftool: [{ command: "exiftool", args: ["-ver"], pattern: /([\d.]+)/ }],
  qpdf: [{ command: "qpdf", args: ["--version"], pattern: /version ([\d.]+)/ }],
  poppler: [{ command: "pdfinfo", args: ["-v"], pattern: /version ([\d.]+)/ }],
};

/** The version of every engine; null where it is missing. */
export async function inspectEngines(): Promise<Record<EngineName, string | null>> {
  const folder = processPath("versions");
  await mkdir(folder, { recursive: true });
  const versions = await Promise.all(
    Object.entries(commands).map(async ([engine, candidates]) => {
      // The keys of the table are the engines.
      const name = engine as EngineName;
      return [name, name === "image" ? await imageVersion() : await ask(name, candidates, folder)];
    }),
  );
  return Object.fromEntries(versions);
}

/** sharp's, from its manifest: the library itself is loaded in image workers alone. */
async function imageVersion(): Promise<string> {
  const manifest = join(projectFolder(), "node_modules/sharp/package.json");
  const { version }: { version: string } = JSON.parse(await readFile(manifest, "utf8"));
  return version;
}

async function ask(
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
        limits: { timeoutMs: 20_000 },
      });
      return pattern.exec(`${output.stdout}${output.stderrTail}`)?.[1] ?? "unknown";
    } catch (error) {
      // Missing: the next one may be there. Anything else is an engine that does not work.
      if (!(error instanceof EngineMissingError || error instanceof EngineError)) throw error;
    }
  }
  return null;
}
