import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { widestLimits } from "#lib/limits/limits.ts";
import type { SandboxView } from "../sandbox/bubblewrap/arguments.ts";
import { EngineError, EngineMissingError } from "../sandbox/failures/errors.ts";
import { startEngine } from "../sandbox/run-engine.ts";
import type { ResourceLimits, RunningProcess, SpawnRequest } from "../sandbox/spawn.ts";
import { type JsonLinesOptions, JsonLinesProcess } from "../warm/json-lines-process.ts";
import { SlotFolder } from "../warm/slot-folder.ts";
import type { WarmProcess } from "../warm/warm-process.ts";
import { memoryBytes } from "./run-pdf.ts";

/** Python and the libraries load in 0.1 s. */
const startTimeoutMs = 30_000;

/** The largest file of any request in bytes; each request sets a limit of its own. */
const fileBytes = Math.max(widestLimits.resultBytes, widestLimits.pdfStructureBytes);

/** Where Linux distributions install Python packages. Homebrew has pikepdf in the environment of OCRmyPDF. */
const pythons = {
  linux: ["/usr/bin/python3"],
  darwin: ["/opt/homebrew", "/usr/local"].map(
    (prefix) => `${prefix}/opt/ocrmypdf/libexec/bin/python`,
  ),
};

/** Finds Python. Throws `EngineMissingError`. */
export function findPython(): string {
  const { platform } = process;
  const candidates = platform === "linux" || platform === "darwin" ? pythons[platform] : [];
  const found = candidates.find((path) => existsSync(/* turbopackIgnore: true */ path));
  if (!found) throw new EngineMissingError("qpdf");
  return found;
}

/** The replies are untrusted: the process has read a user's file. */
const resultSchema = z.object({
  warned: z.boolean(),
  encrypted: z.boolean(),
  pages: z.number(),
  dynamic: z.boolean().default(false),
  gaps: z.boolean().default(false),
  units: z.array(z.tuple([z.int().min(1), z.int().min(1), z.number().positive()])).default([]),
});

const replySchema = z
  .object({ large: z.boolean() })
  .and(z.union([resultSchema, z.object({ refusal: z.string().max(4000) })]));

export type QpdfResult = z.output<typeof resultSchema>;

/**
 * The options of qpdf, as arguments or as the content of a job file; or a file whose pages are counted, or
 * searched for units other than points; or of which only the kind of its form is read.
 */
export type QpdfRequest = { readonly fileBytes: number } & (
  | { readonly args: readonly string[] }
  | { readonly pages: string }
  | { readonly form: string }
  | { readonly units: string }
  | { readonly job: Readonly<Record<string, unknown>> }
);

/** A warm process with qpdf's library in it, with its slot folder. */
export class QpdfProcess implements WarmProcess {
  readonly slot: SlotFolder;
  readonly #process: JsonLinesProcess;
  #isLarge = false;

  private constructor(slot: SlotFolder, process: JsonLinesProcess) {
    this.slot = slot;
    this.#process = process;
  }

  /** Rejects with `EngineMissingError`, or with an `Error` if it does not start. */
  static async start(limits: Partial<ResourceLimits> = {}): Promise<QpdfProcess> {
    const python = findPython();
    const slot = await SlotFolder.create("qpdf");
    let running: RunningProcess | undefined;
    try {
      const used = { memoryBytes, fileBytes, limitsAddressSpace: true, ...limits };
      running = await startEngine(qpdfCommand(python, slot.view), used);
      const process = await JsonLinesProcess.connect("qpdf", running, startTimeoutMs);
      return new QpdfProcess(slot, process);
    } catch (cause) {
      running?.kill();
      await slot.remove();
      // Not an `EngineError`: no file has been read yet, so the job's input cannot be the cause.
      throw new Error("a process of qpdf failed to start", { cause });
    }
  }

  get healthy(): boolean {
    return this.#process.healthy && !this.#isLarge;
  }

  get peakMemoryBytes(): number | undefined {
    return this.#process.peakMemoryBytes;
  }

  /**
   * Runs a job of qpdf. Resolves with qpdf's message if it refuses the file. Rejects as
   * `JsonLinesProcess.request` does, and with an `Error` if the request itself is not valid.
   */
  async request(
    request: QpdfRequest,
    options: JsonLinesOptions,
  ): Promise<QpdfResult | { readonly refusal: string }> {
    const { result, error } = await this.#process.request(request, options);
    if (error) throw new Error(`qpdf did not run: ${error.detail?.slice(0, 4000)}`);
    const parsed = replySchema.safeParse(result);
    if (!parsed.success) {
      throw new EngineError({ engine: "qpdf", invalidReply: true, cause: parsed.error });
    }
    this.#isLarge = parsed.data.large;
    return parsed.data;
  }

  reset(): Promise<void> {
    return this.slot.empty();
  }

  async close(): Promise<void> {
    this.#process.close();
    await this.slot.remove();
  }
}

/** The command of a qpdf process on the slot folder of `view`, and what it can access. */
export function qpdfCommand(python: string, view: SandboxView): SpawnRequest {
  const program = join(import.meta.dirname, "qpdf-server.py");
  return { command: python, args: ["-I", program], ...view, readable: [program] };
}
