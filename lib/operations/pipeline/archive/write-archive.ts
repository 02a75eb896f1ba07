import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { ZipFile } from "yazl";
import { EngineError } from "#lib/engines/sandbox/failures/errors.ts";
import { translateEngineError } from "#lib/engines/sandbox/failures/failures.ts";
import { runEngine } from "#lib/engines/sandbox/run-engine.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { streamToNew } from "#lib/files/regular-files.ts";
import { addRegularFile } from "#lib/formats/zip/add-regular-file.ts";
import type { ArchiveEntry } from "./entries.ts";
import { readTar } from "./tar.ts";

export interface ArchiveRequest {
  readonly entries: readonly ArchiveEntry[];
  readonly output: WorkFile;
  /** The time that all entries have. */
  readonly modified: Date;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  /** Gets the size of each piece of a file that was read. */
  readonly onBytes: (bytes: number) => void;
}

/** Writes a ZIP archive, with ZIP64 if it is large; entries that are compressed are stored. */
export async function writeZip(request: ArchiveRequest): Promise<void> {
  const { entries, output, modified, signal, onBytes } = request;
  const zip = new ZipFile();
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onBytes(chunk.length);
      done(null, chunk);
    },
  });
  const written = pipeline(zip.outputStream, counter, streamToNew(output.path), { signal });
  zip.on("error", (error: Error) => counter.destroy(error));
  for (const { file, name, bytes, isCompressed } of entries) {
    const options = { mtime: modified, compress: !isCompressed, size: bytes, mode: 0o100644 };
    addRegularFile(zip, name, file.path, options);
  }
  zip.end();
  await written;
}

/** Writes a TAR archive that is compressed as a whole. */
export async function writeTarGz(request: ArchiveRequest): Promise<void> {
  const { entries, output, modified, signal, onBytes } = request;
  // Little is gained from data that is compressed, so little time is spent on it.
  const level = entries.every(({ isCompressed }) => isCompressed) ? 1 : 6;
  const tar = readTar(entries, modified, onBytes);
  await pipeline(tar, createGzip({ level }), streamToNew(output.path), { signal });
}

/** 64 MiB of dictionary need eleven times as much with two threads. */
const sevenZipMemory = 3 * 2 ** 30;

/**
 * Writes a 7z archive with 7-Zip; entries that are compressed are stored. Throws `JobError`
 * (`out_of_memory`, `timed_out`, `too_large`).
 */
export async function writeSevenZip(request: ArchiveRequest): Promise<void> {
  const { entries, output } = request;
  // Two runs: one has one method for all files.
  for (const isCompressed of [true, false]) {
    const files = entries.filter((entry) => entry.isCompressed === isCompressed);
    if (files.length === 0) continue;
    const names = files.map(({ file }) => file.name);
    const level = isCompressed ? "-mx=0" : "-mx=5";
    await runSevenZip(request, ["a", level, "-mmt=2", "-mtm=off", "--", output.name, ...names]);
  }
  // On disk, files have allocated names.
  const renamed = entries.flatMap(({ file, name }) => [file.name, name]);
  await runSevenZip(request, ["rn", "--", output.name, ...renamed]);
}

async function runSevenZip(
  { work, signal }: ArchiveRequest,
  [command = "", ...args]: readonly string[],
): Promise<void> {
  try {
    await runEngine({
      engine: "7-zip",
      command: "7zz",
      ...work.view,
      signal,
      args: [command, "-t7z", "-y", "-bd", "-bso0", "-ssw", ...args],
      limits: {
        timeoutMs: 3_600_000,
        memoryBytes: sevenZipMemory,
        fileBytes: work.limits.resultBytes,
      },
    });
  } catch (error) {
    throw error instanceof EngineError ? translateEngineError(error) : error;
  }
}
