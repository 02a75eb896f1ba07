import { dirname } from "node:path";
import { connectionNetworkFor } from "#lib/connections/network.ts";
import { StoreError } from "#lib/connections/stores/store.ts";
import { expandPath } from "#lib/connections/target-path.ts";
import {
  type ConnectionUse,
  type OpenedConnection,
  withConnection,
} from "#lib/connections/use-connection.ts";
import type { ConnectionTarget, ExportedFile, JobOutput, JobRow } from "#lib/db/schema/jobs.ts";
import { JobError } from "#lib/errors.ts";
import { FileGoneError, storage } from "#lib/storage/index.ts";
import { requestedSteps } from "../steps.ts";
import { recordUploadOf } from "./started-uploads.ts";

/** How the sending of one file is stopped and followed. */
export interface ExportOptions {
  readonly signal: AbortSignal;
  /** Called with the bytes that were sent so far. */
  readonly onProgress: (bytes: number) => void;
}

/**
 * Sends the outputs of a job to a connection, one after the other. Resolves once the store has confirmed all of them.
 * Throws `export_failed`.
 */
export async function exportToConnection(
  job: JobRow,
  target: ConnectionTarget,
  outputs: readonly JobOutput[],
  optionsFor: (index: number) => ExportOptions,
): Promise<ExportedFile[]> {
  if (outputs.length === 0) return [];
  const paths = pathsOf(job, target, outputs);
  requireDistinct(paths);
  const use = writeUseOf(job, target);
  const { signal } = optionsFor(0);
  const context = { network: connectionNetworkFor(job.plan), signal };
  try {
    return await withConnection(use, context, async (opened) => {
      const isRepeated = await markStarted(outputs);
      const exported: ExportedFile[] = [];
      for (const [index, output] of outputs.entries()) {
        const path = paths[index] ?? "";
        exported.push(
          await exportFile(job, target, { path, index, output, isRepeated }, opened, optionsFor),
        );
      }
      return exported;
    });
  } catch (error) {
    throw toExportError(error);
  }
}

/** What a job does with the connection of its target. */
export function writeUseOf(job: JobRow, target: ConnectionTarget): ConnectionUse {
  return {
    accountId: job.accountId,
    connectionId: target.id,
    operations: requestedSteps(job).map(({ type }) => type),
    access: "write",
  };
}

/** The paths of the outputs below the connection's prefix, in order. */
export function pathsOf(
  job: Pick<JobRow, "id" | "createdAt" | "operation">,
  target: ConnectionTarget,
  outputs: readonly JobOutput[],
): string[] {
  return outputs.map(({ filename }, index) =>
    expandPath(target.path, {
      jobId: job.id,
      createdAt: job.createdAt,
      operation: job.operation,
      filename,
      number: index + 1,
    }),
  );
}

interface ExportStep {
  readonly path: string;
  readonly index: number;
  readonly output: JobOutput;
  /** Whether an earlier attempt may have sent it. */
  readonly isRepeated: boolean;
}

/**
 * Whether an attempt before this one has begun to send. Attempts that are not counted, and lost responses, leave no
 * other trace. The mark is removed with the outputs.
 */
async function markStarted([first]: readonly JobOutput[]): Promise<boolean> {
  const mark = `${dirname(first?.key ?? "")}/sending`;
  try {
    await storage().readBytes(mark);
    return true;
  } catch (error) {
    if (!(error instanceof FileGoneError)) throw error;
  }
  await storage().write(mark, Buffer.from("sending"));
  return false;
}

async function exportFile(
  job: JobRow,
  { id, overwrite }: ConnectionTarget,
  { path, index, output, isRepeated }: ExportStep,
  { store, at }: OpenedConnection,
  optionsFor: (index: number) => ExportOptions,
): Promise<ExportedFile> {
  const { key, bytes, contentType } = output;
  const { etag } = await store.put({
    path: at(path),
    bytes,
    contentType,
    overwrite,
    isRepeated,
    since: job.createdAt,
    attemptName: `${job.id}-${index + 1}`,
    upload: recordUploadOf(output, index),
    open: (part) => storage().read(key, part && { start: part.start, end: part.end - 1 }),
    ...optionsFor(index),
  });
  return { connection: id, path, etag, bytes };
}

function requireDistinct(paths: readonly string[]): void {
  if (new Set(paths).size === paths.length) return;
  const message =
    "The operation made several files, but `output.path` gives them the same path. Use {filename} or {n} in it.";
  throw new JobError("export_failed", message, { isPermanent: true });
}

function toExportError(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error;
  const { message, isPermanent } = error;
  return new JobError("export_failed", message, { cause: error, isPermanent });
}
