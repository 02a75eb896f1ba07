import { type FileHandle, rename } from "node:fs/promises";
import { withConnectionFile } from "#lib/connections/read-file.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { detectFileType } from "#lib/engines/sniff/detect-type.ts";
import type { InputFile } from "#lib/engines/worker/operation.ts";
import { JobError } from "#lib/errors.ts";
import { createNew, statRegular, writeNew } from "#lib/files/regular-files.ts";
import { freeMemory } from "#lib/files/temporary-memory.ts";
import { headBytes, sniffBytes } from "#lib/formats/sniff/sniff.ts";
import { log } from "#lib/log.ts";
import type { MediaType } from "#lib/media/types.ts";
import { fetchBytes } from "#lib/net/fetch.ts";
import { KeptConnections } from "#lib/net/kept-connections.ts";
import { type Network, networkFor } from "#lib/net/network.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import type { PlanName } from "#lib/plans.ts";
import { plans } from "#lib/plans.ts";
import { storage } from "#lib/storage/index.ts";
import type { RenderRequest, SourceLocation } from "./messages.ts";

/** Gets the sources of pictures, in a media runner. */

/** A page waits for its pictures, so a slow source is given up early. */
const sourceTimes = { connectMs: 5000, headersMs: 10_000, chunkMs: 10_000, totalMs: 20_000 };

/** Larger files are no sources of pictures of a page. */
const maxSourceBytes = 100_000_000;

/** Larger ones are kept on disk: many pictures are made at a time. */
const maxMemoryBytes = 4_000_000;

/** Many pictures of a page have one server. */
const connections = new KeptConnections();

interface SourceNames {
  readonly filename: string;
  readonly contentType?: string | undefined;
  /** When its server says that it was last changed. */
  readonly lastModified?: string | undefined;
}

/** A source in memory, or on disk if it is larger or was uploaded. */
export type FoundSource = SourceNames &
  (
    | { readonly kind: "memory"; readonly content: Buffer; readonly bytes: number }
    | { readonly kind: "disk"; readonly path: string; readonly bytes: number }
  );

/** Fetches a source. Throws `JobError`. */
export async function findSource(
  source: SourceLocation,
  { accountId, accountPlan: plan }: Pick<RenderRequest, "accountId" | "accountPlan">,
  work: () => WorkFolder,
  signal: AbortSignal,
): Promise<FoundSource> {
  if (source.kind === "stored") {
    const { path } = work().scratch("bin");
    await storage().getFile(source.key, path, source.version);
    const { size } = await statRegular(path);
    return { kind: "disk", path, bytes: size, filename: source.filename };
  }
  const maxBytes = Math.min(plans[plan].maxFileBytes ?? maxSourceBytes, maxSourceBytes);
  if (source.kind === "connection") {
    const { path } = work().scratch("bin");
    const fetch = { path, maxBytes, signal };
    // A connection that is only for some operations is not for pictures.
    const reader = { accountId, plan, operations: ["images by URL"] };
    const { bytes, filename, contentType } = await withConnectionFile(
      reader,
      source.reference,
      signal,
      (store, file) => store.receive(file, fetch),
    ).catch((error: unknown) => {
      throw hideConnection(error);
    });
    return { kind: "disk", path, bytes, filename, contentType };
  }
  const collector = new Collector(work);
  try {
    const request = { url: source.url, maxBytes, signal };
    const fetched = await fetchBytes(request, networkOf(plan), (chunk) => collector.add(chunk));
    return { ...fetched, ...(await collector.end()) };
  } finally {
    await collector.close();
  }
}

/** The URL of a picture is public, so its response names neither the connection nor its folders. */
function hideConnection(error: unknown): unknown {
  if (!(error instanceof JobError) || error.code !== "fetch_failed") return error;
  log.info({ reason: error.message }, "a picture's file could not be read from its connection");
  return new JobError("fetch_failed", "The file cannot be read from its connection.", {
    cause: error,
  });
}

function networkOf(plan: PlanName): Network {
  if (!plans[plan].network) return noNetwork;
  return { ...networkFor("inputs"), limits: sourceTimes, connections };
}

/** Keeps the bytes of a small file in memory, and writes those of a large one to disk. */
class Collector {
  readonly #work: () => WorkFolder;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #file: { readonly path: string; readonly handle: FileHandle } | undefined;

  constructor(work: () => WorkFolder) {
    this.#work = work;
  }

  add(chunk: Uint8Array): void | Promise<void> {
    this.#bytes += chunk.length;
    if (!this.#file && this.#bytes <= maxMemoryBytes) this.#chunks.push(chunk);
    else return this.#write(chunk);
  }

  async #write(chunk: Uint8Array): Promise<void> {
    if (!this.#file) {
      const { path } = this.#work().scratch("bin");
      this.#file = { path, handle: await createNew(path) };
      for (const before of this.#chunks.splice(0)) await this.#save(this.#file.handle, before);
    }
    await this.#save(this.#file.handle, chunk);
  }

  async #save(file: FileHandle, chunk: Uint8Array): Promise<void> {
    await file.writeFile(chunk);
    freeMemory(chunk);
  }

  end() {
    const bytes = this.#bytes;
    if (this.#file) return { kind: "disk", path: this.#file.path, bytes } as const;
    const content = Buffer.concat(this.#chunks);
    for (const chunk of this.#chunks) freeMemory(chunk);
    return { kind: "memory", content, bytes } as const;
  }

  async close(): Promise<void> {
    await this.#file?.handle.close();
  }
}

/**
 * The type of a source in memory if its beginning shows it. That takes linear time, so it needs no
 * thread; other types do.
 */
export function sniffSource({ content, filename, contentType }: FoundSource & { kind: "memory" }) {
  const hints = { filename, ...(contentType ? { contentType } : {}) };
  return sniffBytes(content.subarray(0, headBytes), hints);
}

/** The source as an input in the work folder, under the name of its type. */
export async function toInput(
  source: FoundSource,
  work: WorkFolder,
  known?: MediaType,
): Promise<InputFile> {
  const { filename, bytes, contentType } = source;
  const path = source.kind === "disk" ? source.path : work.scratch("bin").path;
  if (source.kind === "memory") await writeNew(path, source.content);
  const hints = { filename, ...(contentType ? { contentType } : {}) };
  const type = known ?? (await detectFileType(path, hints));
  const named = work.input(type.extension);
  await rename(path, named.path);
  return { ...named, type, bytes, filename };
}
