import { createHash } from "node:crypto";
import type { LiveSource, PreviewTask } from "#lib/db/schema/live-task.ts";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { statRegular } from "#lib/files/regular-files.ts";
import { createToken } from "#lib/ids.ts";
import { limitsForPlan } from "#lib/limits/limits.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import type { InputFile, Operation } from "#lib/operations/define.ts";
import { growthExponent, type PixelSize } from "#lib/operations/live/full-size.ts";
import type { LiveKind } from "#lib/operations/live/live-kind.ts";
import { gatherSource, outputToInput } from "./files.ts";
import { runOne } from "./run-one.ts";

/** The longest side of a proxy, in pixels. */
const proxySide = 512;

/** A small copy of a file of an account, on which operations are previewed. */
export interface LiveProxy {
  readonly file: InputFile;
  /** The size of the whole image or frame as it is displayed; null for pages. */
  readonly full: PixelSize | null;
  /** Its own size; null for pages. */
  readonly size: PixelSize | null;
  /** Its longest side divided by that of the file; 1 for pages and for files that are small anyway. */
  readonly scale: number;
  /** How the bytes of such an image grow with its pixels. */
  readonly exponent: number;
  readonly work: WorkFolder;
}

interface Entry {
  readonly proxy: Promise<LiveProxy>;
  usedAt: number;
}

/** How long a proxy is kept after it was last used. */
const keptMs = 5 * 60_000;

/** The most proxies of a runner: each has some 100 kB. */
const maxProxies = 50;

/**
 * The proxies of a runner, in its temporary folder. Each is made once per file and kind, and removed some minutes
 * after it was last used.
 */
export class Proxies {
  readonly #entries = new Map<string, Entry>();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => this.#evict(Date.now() - keptMs), 30_000);
    this.#timer.unref();
  }

  /** The proxy of a file for operations of this kind. Throws `JobError` if the file is not accepted. */
  async of(
    task: Pick<PreviewTask, "accountId" | "plan">,
    source: LiveSource,
    operation: Operation,
    kind: LiveKind,
    signal: AbortSignal,
  ): Promise<LiveProxy> {
    const raw = operation.accepts.includes("raw") ? "images" : "files";
    const key = createHash("sha256")
      .update([task.accountId, source.key, kind, raw].join("\n"))
      .digest("hex");
    const known = this.#entries.get(key);
    if (known) {
      known.usedAt = Date.now();
      return known.proxy;
    }
    const proxy = makeProxy(task, source, operation, kind, signal);
    this.#entries.set(key, { proxy, usedAt: Date.now() });
    proxy.catch(() => this.#entries.delete(key));
    while (this.#entries.size > maxProxies) this.#evictOldest();
    return proxy;
  }

  /** Removes all proxies. */
  close(): void {
    clearInterval(this.#timer);
    this.#evict(Number.POSITIVE_INFINITY);
  }

  #evict(before: number): void {
    for (const [key, { usedAt }] of this.#entries) if (usedAt < before) this.#remove(key);
  }

  #evictOldest(): void {
    const [oldest] = [...this.#entries].sort(([, one], [, other]) => one.usedAt - other.usedAt);
    if (oldest) this.#remove(oldest[0]);
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    // A proxy that could not be made has removed its own folder.
    entry?.proxy.then(({ work }) => work.remove()).catch(() => {});
  }
}

async function makeProxy(
  { plan }: Pick<PreviewTask, "plan">,
  source: LiveSource,
  operation: Operation,
  kind: LiveKind,
  signal: AbortSignal,
): Promise<LiveProxy> {
  const work = WorkFolder.create(processPath(`live-${createToken()}`), {
    limits: limitsForPlan(plan),
    network: noNetwork,
  });
  try {
    const file = await gatherSource(source, operation.accepts, work);
    const make = { image: makeImageProxy, frame: makeFrameProxy, page: makePageProxy }[kind];
    return { ...(await make(file, work, signal)), work };
  } catch (error) {
    await work.remove();
    throw error;
  }
}

type MadeProxy = Omit<LiveProxy, "work">;

/** The image itself if it is small. Two encodings of the image and its proxy show how its bytes grow. */
async function makeImageProxy(
  file: InputFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<MadeProxy> {
  const measure = async (input: InputFile) => {
    const params = { format: "jpeg", quality: 80 };
    const { output } = await runOne("image/convert", params, input, work, signal);
    const { size: bytes } = await statRegular(output.path);
    return { width: output.width ?? 1, height: output.height ?? 1, bytes };
  };
  const full = await measure(file);
  const side = Math.max(full.width, full.height);
  if (side <= proxySide) return { file, full, size: full, scale: 1, exponent: 1 };
  const fit = { width: proxySide, height: proxySide, fit: "inside" };
  const { output } = await runOne("image/resize", fit, file, work, signal);
  const proxy = await outputToInput(output, work);
  const small = await measure(proxy);
  const exponent = growthExponent(small, full);
  return { file: proxy, full, size: small, scale: proxySide / side, exponent };
}

/** A video of a frame or two that shows something. */
async function makeFrameProxy(
  file: InputFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<MadeProxy> {
  const found = await runOne("video/thumbnail", {}, file, work, signal);
  const { width = 1, height = 1 } = found.output;
  const time = Number(found.result?.time ?? 0);
  const part = { start: time, duration: partSeconds };
  const { output } = await runOne("video/trim", part, file, work, signal).catch(() =>
    // The time is that of the last frame, of which no part is left.
    runOne("video/trim", { start: 0, duration: partSeconds }, file, work, signal),
  );
  const trimmed = await outputToInput(output, work);
  const side = Math.max(width, height);
  const full = { width, height };
  if (side <= proxySide) return { file: trimmed, full, size: full, scale: 1, exponent: 1 };
  const fit = { width: proxySide, height: proxySide, fit: "inside" };
  const resized = await runOne("video/resize", fit, trimmed, work, signal);
  const { width: across = 1, height: down = 1 } = resized.output;
  const proxy = await outputToInput(resized.output, work);
  const size = { width: across, height: down };
  return { file: proxy, full, size, scale: proxySide / side, exponent: 1 };
}

/** A frame of 24 a second, and a half of the next one. */
const partSeconds = 0.06;

/** The first page as a document. */
async function makePageProxy(
  file: InputFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<MadeProxy> {
  const { output } = await runOne("document/extract-pages", { pages: "1" }, file, work, signal);
  return { file: await outputToInput(output, work), full: null, size: null, scale: 1, exponent: 1 };
}
