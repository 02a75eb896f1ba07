import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { readRawPhoto } from "#lib/engines/import/raw-photo.ts";
import { decodeWithVips } from "#lib/engines/import/vips.ts";
import { changeJpeg } from "#lib/engines/jpegtran/jpegtran.ts";
import { extractText } from "#lib/engines/pdf/extract-text.ts";
import { rewriteWithGhostscript } from "#lib/engines/pdf/ghostscript.ts";
import { listImages } from "#lib/engines/pdf/list-images.ts";
import { readPdfInfo, removePdfMetadata } from "#lib/engines/pdf/qpdf.ts";
import { currentSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import type * as Spawn from "#lib/engines/sandbox/spawn.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { recognizeText } from "#lib/engines/tesseract/tesseract.ts";
import { dataPath } from "#lib/env.ts";
import { volume } from "#lib/operations/audio/volume/index.ts";
import { ocrPdf } from "#lib/operations/document/ocr/ocr-pdf.ts";
import { readPdfsigStates } from "#lib/operations/document/verify-signatures/pdfsig.ts";
import { encodeJxl, packJpeg } from "#lib/operations/image/convert/cjxl.ts";
import { writeSevenZip } from "#lib/operations/pipeline/archive/write-archive.ts";
import { normalizePdf } from "#lib/operations/shared/pdf/normalize-pdf.ts";
import { runQpdfJob } from "#lib/operations/shared/pdf/run-qpdf-job.ts";
import { makeAudio } from "#tests/samples/audio.ts";
import { runOperation, temporaryWorkFolder } from "#tests/support/operation.ts";

/**
 * Engines that a file has taken over: a script in their real sandbox, with their real view, that leaves
 * links, pipes, folders and sockets under all names that the runner may use next.
 */

/** Without the modules of a site, Python starts in half the time. */
const quick = vi.hoisted(() => ["-I", "-S", "-c"]);
const attack = vi.hoisted(() => ({ script: "" }));

vi.mock("#lib/engines/sandbox/spawn.ts", async (load) => {
  const original = await load<typeof Spawn>();
  const spawnProcess: typeof Spawn.spawnProcess = (sandbox, request, limits) => {
    const { command, args } = request;
    const own = { command: "python3", args: [...quick, attack.script, command, ...args] };
    if (!attack.script) return original.spawnProcess(sandbox, request, limits);
    // What takes over a copy of a zygote is in a copy, too.
    const zygotePrograms = new Set(sandbox.zygotePrograms?.has(command) ? ["python3"] : []);
    return original.spawnProcess({ ...sandbox, zygotePrograms }, { ...request, ...own }, limits);
  };
  return { ...original, spawnProcess };
});

const never = new AbortController().signal;
const outside = () => dataPath("outside");
const created = () => dataPath("created");
const content = "a file outside of the sandbox";

const extensions = "png jpg tiff txt tsv pdf json mp3 wav flac 7z jxl ppm".split(" ");

/** What an engine leaves at `path`, in Python. */
const entries: Record<string, string> = {
  "links to a file": `os.symlink("${outside()}", path)`,
  "links to nothing": `os.symlink("${created()}", path)`,
  pipes: "os.mkfifo(path)",
  folders: "os.mkdir(path)",
  sockets: "_socket.socket(_socket.AF_UNIX).bind(path)",
};

/** Leaves an entry under every name that may be next; `end` is how the engine ends. */
const leave = (entry: string, end: string) => `
import os, _socket, sys
for name in [f"{folder}/{number}.{extension}" for folder in ("out", "tmp")
             for number in range(6) for extension in ${JSON.stringify(extensions)}]:
  path = name
  try: ${entry}
  except OSError: pass
${end}`;

/** Does its own work afterwards. */
const goOn = "os.execvp(sys.argv[1], sys.argv[1:])";

interface Caller {
  readonly extension: string;
  /** The engine has no writable folder, so nothing can be left. */
  readonly readsOnly?: true;
  readonly run: (file: WorkFile, work: WorkFolder) => Promise<unknown>;
}

const encoding = { quality: 80, lossless: false, progressive: false, pixels: 100 };

/** Every function that runs an engine for one job. */
const callers: Record<string, Caller> = {
  ffprobe: { extension: "mp3", run: (file, work) => probe(file, work, never) },
  ffmpeg: {
    extension: "mp3",
    run: (file, work) =>
      runFfmpeg({
        work,
        signal: never,
        inputs: [{ file }],
        outputs: [{ file: work.output("wav"), args: [] }],
      }),
  },
  "vipsheader and vips": {
    extension: "jxl",
    run: (file, work) => decodeWithVips({ file, loader: "jxlload", to: "png" }, work, never),
  },
  jpegtran: {
    extension: "jpg",
    run: (file, work) => {
      const pixels = { left: 0, top: 0, width: 8, height: 8 };
      return changeJpeg(file, { pixels, isProgressive: false }, work, never);
    },
  },
  cjxl: {
    extension: "png",
    run: (file, work) => encodeJxl(file, work.output("jxl"), encoding, work, never),
  },
  "cjxl of a JPEG": {
    extension: "jpg",
    run: (file, work) => packJpeg(file, work.output("jxl"), work, never),
  },
  tesseract: {
    extension: "png",
    run: (file, work) => recognizeText(file, ["eng"], "page", work, never),
  },
  ocrmypdf: {
    extension: "pdf",
    run: (file, work) =>
      ocrPdf(
        {
          file,
          output: work.output("pdf"),
          languages: ["eng"],
          deskew: false,
          force: false,
          onProgress: () => {},
        },
        work,
        never,
      ),
  },
  ghostscript: {
    extension: "pdf",
    run: (file, work) => rewriteWithGhostscript(file, "2b", work, never),
  },
  pdfinfo: {
    extension: "pdf",
    readsOnly: true,
    run: (file, work) => readPdfInfo(file, work, never),
  },
  pdfimages: {
    extension: "pdf",
    readsOnly: true,
    run: (file, work) => listImages(file, work, never),
  },
  pdfsig: {
    extension: "pdf",
    readsOnly: true,
    run: (file, work) => readPdfsigStates(file, work, never),
  },
  pdftotext: {
    extension: "pdf",
    run: (file, work) =>
      extractText(
        { file, spans: [[1, 1]], layout: false, output: work.output("txt") },
        work,
        never,
      ),
  },
  qpdf: { extension: "pdf", run: (file, work) => normalizePdf(file, work, never) },
  "qpdf to JSON": {
    extension: "pdf",
    run: (file, work) => removePdfMetadata(file, work.output("pdf"), work, never),
  },
  "qpdf with a job file": {
    extension: "pdf",
    run: (file, work) => runQpdfJob(file, work.output("pdf"), { decrypt: "" }, work, never),
  },
  exiftool: {
    extension: "dng",
    run: (file, work) => readRawPhoto({ ...file, filename: "a.dng" }, "preview", work, never),
  },
  libraw: {
    extension: "dng",
    run: (file, work) => readRawPhoto({ ...file, filename: "a.dng" }, "develop", work, never),
  },
  "7-zip": {
    extension: "txt",
    run: (file, work) =>
      writeSevenZip({
        entries: [{ file, name: "a.txt", bytes: 5, isCompressed: false }],
        output: work.output("7z"),
        modified: new Date(0),
        onBytes: () => {},
        work,
        signal: never,
      }),
  },
};

// The self-test must not run the script.
const { level } = await currentSandbox();

/** At the level `strict`, Landlock lets an engine create files and folders only, so it succeeds or fails by itself. */
const canLeave = (name: string) => level !== "strict" || name === "folders";

beforeEach(() => {
  mkdirSync(dataPath(), { recursive: true });
  rmSync(created(), { force: true });
  writeFileSync(outside(), content);
  return () => {
    attack.script = "";
  };
});

function expectNothingOutside(work: WorkFolder) {
  expect(readFileSync(outside(), "utf8")).toBe(content);
  expect(existsSync(created())).toBe(false);
  for (const name of ["out", "tmp"]) {
    const left = readdirSync(join(work.root, name), { withFileTypes: true });
    expect(left.filter((entry) => !entry.isFile())).toEqual([]);
  }
}

describe.each(Object.entries(callers))("%s", (_, { extension, readsOnly, run }) => {
  const attempt = async (script: string) => {
    const work = temporaryWorkFolder();
    const file = work.input(extension);
    writeFileSync(file.path, "input");
    attack.script = script;
    const outcome = await run(file, work).catch((error: unknown) => error);
    expectNothingOutside(work);
    return outcome;
  };

  it.each(Object.entries(entries))("that leaves %s does nothing outside", async (name, entry) => {
    const outcome = await attempt(leave(entry, ""));
    if (!readsOnly && canLeave(name)) expect(outcome).toBeInstanceOf(Error);
  });

  it("that leaves links and fails does nothing outside", async () => {
    await attempt(leave(entries["links to nothing"] ?? "", "sys.exit(1)"));
  });
});

it("a file does not leave the sandbox through `audio/volume`, which copies it", async () => {
  const sample = makeAudio("mp3");
  attack.script = leave(entries["links to nothing"] ?? "", goOn);
  const { outputs } = await runOperation(volume, sample, { gain: 1 });
  expect(existsSync(created())).toBe(false);
  expect(readFileSync(outputs[0]?.path ?? "")).toEqual(readFileSync(sample.path));
});

it("an engine that writes fails the job, although its own work is done", async () => {
  const work = temporaryWorkFolder();
  const file = work.input("mp3");
  await copyFile(makeAudio("mp3").path, file.path);
  const entry = canLeave("links") ? `os.symlink("${created()}", "out/1.mp3")` : 'os.mkdir("out/1")';
  attack.script = `import os, sys; ${entry}; ${goOn}`;
  const outputs = [{ file: work.output("wav"), args: [] }];
  const running = runFfmpeg({ work, signal: never, inputs: [{ file }], outputs });
  await expect(running).rejects.toMatchObject({ code: "engine_crashed" });
  expectNothingOutside(work);
});
