import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { widestLimits } from "#lib/limits/limits.ts";
import type { SandboxView } from "../sandbox/bubblewrap.ts";
import { EngineError, EngineMissingError } from "../sandbox/failures/errors.ts";
import { startEngine } from "../sandbox/run-engine.ts";
import type { ResourceLimits, SpawnRequest } from "../sandbox/spawn.ts";
import { type JsonLinesOptions, JsonLinesProcess } from "../warm/json-lines-process.ts";
import { SlotFolder } from "../warm/slot-folder.ts";
import type { WarmProcess } from "../warm/warm-process.ts";
import { memoryBytes } from "./run-pdf.ts";

/** Python and the libraries load in 0.1 s. */
const startTimeoutMs = 30_000;

/** Where Linux distributions install Python packages. Homebrew has pikepdf in the environment of OCRmyPDF. */
const pythons = {
  linux: ["/usr/bin/python3"],
  darwin: ["/opt/homebrew", "/usr/local"].map(
    (prefix) => `${prefix}/opt/ocrmypdf/libexec/bin/python`,
  ),
};

function findPython(): string {
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
  large: z.boolean(),
});

export type QpdfResult = Omit<z.output<typeof resultSchema>, "large">;

/** The options of qpdf, as arguments or as the content of a job file; or a file whose pages are counted. */
export type QpdfRequest = { readonly fileBytes: number } & (
  | { readonly args: readonly string[] }
  | { readonly pages: string }
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

  /** Rejects with `EngineMissingError`, or with `EngineError` if it does not start. */
  static async start(limits: Partial<ResourceLimits> = {}): Promise<QpdfProcess> {
    findPython();
    const slot = await SlotFolder.create("qpdf");
    const running = await startEngine(qpdfCommand(slot.view), {
      memoryBytes,
      limitsAddressSpace: true,
      fileBytes: Math.max(widestLimits.resultBytes, widestLimits.pdfStructureBytes),
      ...limits,
    });
    try {
      const process = await JsonLinesProcess.connect("qpdf", running, startTimeoutMs);
      return new QpdfProcess(slot, process);
    } catch (error) {
      running.kill();
      await slot.remove();
      throw error;
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
    const detail = error?.detail?.slice(0, 4000) ?? "";
    if (error?.code === "failed") return { refusal: detail };
    if (error) throw new Error(`qpdf did not run: ${detail}`);
    const parsed = resultSchema.safeParse(result);
    if (!parsed.success) {
      throw new EngineError({ engine: "qpdf", invalidReply: true, cause: parsed.error });
    }
    const { large, ...rest } = parsed.data;
    this.#isLarge = large;
    return rest;
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
export function qpdfCommand(view: SandboxView): SpawnRequest {
  const program = join(import.meta.dirname, "qpdf-server.py");
  return { command: findPython(), args: ["-I", program], ...view, readable: [program] };
}
