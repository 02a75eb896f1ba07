import type { RemoteSource, StoredSource } from "#lib/db/schema/jobs.ts";
import { PartialFile, type RangeSource } from "#lib/engines/partial/partial-file.ts";
import { type RangeServer, startRangeServer } from "#lib/engines/partial/range-server.ts";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import type { PartialContent, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { detectReaderType } from "#lib/engines/sniff/detect-type.ts";
import { createToken } from "#lib/ids.ts";
import type { MediaType } from "#lib/media/types.ts";
import type { Network } from "#lib/net/network.ts";
import { RangesUnusableError } from "#lib/net/ranges/content-range.ts";
import { RangedFile, type RemoteFile } from "#lib/net/ranges/ranged-file.ts";
import type { InputFile } from "#lib/operations/define.ts";
import { storage } from "#lib/storage/index.ts";
import { UnavailableError } from "#lib/unavailable.ts";

/** Inputs that an operation reads in part: of which only the bytes that it needs are received. */

/**
 * The sizes of files that are read in part. A smaller file is read as a whole about as quickly, and its
 * hash is known then. For a larger one, file systems may not support a sparse file.
 */
const partialBytes = { min: 4 * 2 ** 20, max: 2 ** 40 };

/**
 * A job that reads its source occupies an engine. A source that is slower than this is fetched as a
 * whole first, which occupies none.
 */
const waitAllowance = { initialMs: 3000, bytesPerSecond: 2 ** 20 };

/** Whether a file of this size may be opened to read parts of it. */
export function isPartialSize(bytes: number): boolean {
  return bytes >= partialBytes.min && bytes <= partialBytes.max;
}

/** Whether engines can read parts of a file of this type. For other types, they need all of it. */
export function hasReadableParts({ kind }: MediaType): boolean {
  return kind === "video" || kind === "audio";
}

/** Opens a file at a URL. `head`: its beginning, if it has been read. */
export function openRemoteFile(
  file: RemoteFile,
  network: Network,
  head?: Uint8Array,
): Promise<PartialFile> {
  return open(new RangedFile(file, network), {
    ...(head ? { head } : {}),
    allowance: waitAllowance,
  });
}

/** Opens a file in a store of a user that has no HTTP. */
export function openRanges(source: RangeSource): Promise<PartialFile> {
  return open(source, { allowance: waitAllowance });
}

/** Opens a file in an object store. */
export function openStoredFile(source: StoredSource): Promise<PartialFile> {
  return open(rangesOfStored(source), {});
}

function open(
  source: RangeSource,
  options: Omit<Parameters<typeof PartialFile.create>[1], "path">,
) {
  return PartialFile.create(source, { ...options, path: processPath(`${createToken()}.part`) });
}

function rangesOfStored({ key, bytes }: StoredSource): RangeSource {
  return {
    bytes,
    async *read(start, end, signal) {
      const body = await storage().read(key, { start, end: end - 1 });
      const stop = () => body.destroy();
      signal.addEventListener("abort", stop, { once: true });
      try {
        yield* body;
      } catch (cause) {
        throw new UnavailableError("storage unavailable", { cause });
      } finally {
        signal.removeEventListener("abort", stop);
        body.destroy();
      }
    },
    async close() {},
  };
}

/** An input that engines read from a server of this process. */
export interface ServedInput {
  readonly input: InputFile;
  readonly file: PartialFile;
  /** Stops the server and removes what was received. */
  close(): Promise<void>;
}

/**
 * Serves `file` to the engines of a job. Undefined, and the file is closed, if its type is not suitable.
 * An aborted signal closes the file, too.
 */
export async function serveInput(
  file: PartialFile,
  source: RemoteSource | StoredSource,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<ServedInput | undefined> {
  let server: RangeServer | undefined;
  const stop = () => void file.close();
  signal.addEventListener("abort", stop, { once: true });
  const close = async () => {
    signal.removeEventListener("abort", stop);
    await server?.close();
    await file.close();
  };
  try {
    const { filename, contentType, charset } = source;
    const type = await detectReaderType(file, { filename, contentType });
    if (!hasReadableParts(type)) {
      await close();
      return undefined;
    }
    server = await startRangeServer(file);
    const partial: PartialContent = {
      socket: server.socket,
      bytes: file.size,
      requireWhole(reason) {
        throw new RangesUnusableError(reason);
      },
    };
    const sha256 = source.kind === "stored" && source.sha256;
    const url = source.kind === "remote" ? source.finalUrl : source.url;
    const input = {
      ...work.input(type.extension),
      partial,
      type,
      bytes: file.size,
      filename,
      ...(url ? { url } : {}),
      ...(charset ? { charset } : {}),
      ...(sha256 ? { sha256 } : {}),
    };
    return { input, file, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** How long an opened file is kept between the two stages of its job, and how many at a time. */
const keptMs = 10_000;
const maxKept = 16;

/**
 * Files that the fetch stage of a job has opened, for its next stage, which usually follows at once in
 * this process. What was received is not requested again.
 */
class OpenedFiles {
  readonly #files = new Map<
    string,
    { readonly file: PartialFile; readonly timer: NodeJS.Timeout }
  >();

  keep(jobId: string, file: PartialFile): void {
    // A stage that is executed again opens its file again.
    void this.take(jobId)?.close();
    const [oldest] = this.#files.keys();
    if (oldest !== undefined && this.#files.size >= maxKept) void this.take(oldest)?.close();
    const timer = setTimeout(() => void this.take(jobId)?.close(), keptMs).unref();
    this.#files.set(jobId, { file, timer });
  }

  take(jobId: string): PartialFile | undefined {
    const kept = this.#files.get(jobId);
    clearTimeout(kept?.timer);
    this.#files.delete(jobId);
    return kept?.file;
  }
}

export const openedFiles = new OpenedFiles();
