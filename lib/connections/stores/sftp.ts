import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { SFTPWrapper } from "ssh2";
import { JobError } from "#lib/errors.ts";
import { replaceWithNew } from "#lib/files/regular-files.ts";
import { type FetchedFile, type FileRequest, tooLargeError } from "#lib/net/fetch.ts";
import { withDeadline } from "#lib/net/network.ts";
import { confirmEarlier } from "./http-store.ts";
import { type SftpAccess, SftpConnection, wrapperOf } from "./sftp-connection.ts";
import {
  codeOf,
  describeFailure,
  isSshError,
  noSpaceLeft,
  statusFailure,
  statusNoFile,
} from "./sftp-errors.ts";
import { freeBytes, readNames, writeParts } from "./sftp-files.ts";
import { openSftpRanges } from "./sftp-ranges.ts";
import { readWhole } from "./sftp-read.ts";
import { renameOver, restoreReplaced } from "./sftp-replace.ts";
import {
  type ListPage,
  type ListRequest,
  removeSent,
  type Store,
  type StoreContext,
  type StoredObject,
  type StoredRanges,
  StoreError,
  type StoreFile,
} from "./store.ts";
import { type FolderEntry, foldersOf, listTree, temporaryPath } from "./tree-list.ts";

/** A folder of an SFTP server. A file is received under another name, then renamed. Its host key is pinned. */
export class SftpStore implements Store {
  readonly #access: SftpAccess;
  readonly #connection: SftpConnection;
  readonly #context: StoreContext;

  constructor(access: SftpAccess, context: StoreContext) {
    this.#access = access;
    this.#connection = new SftpConnection(access, context);
    this.#context = context;
  }

  async receive(path: string, request: Omit<FileRequest, "url" | "headers">): Promise<FetchedFile> {
    const { totalMs } = this.#context.network.limits;
    return withDeadline(request.signal, totalMs, async (signal) => {
      const stopWith = this.#connection.stopWith(signal);
      try {
        return await this.#receive(path, { ...request, signal });
      } catch (error) {
        signal.throwIfAborted();
        throw isSshError(error) ? describeFailure(error, "the file") : error;
      } finally {
        stopWith();
      }
    });
  }

  async #receive(
    path: string,
    { path: target, maxBytes, onSize, signal }: Omit<FileRequest, "url" | "headers">,
  ): Promise<FetchedFile> {
    const client = await this.#connection.client();
    const { size } = await client.stat(path);
    if (!Number.isSafeInteger(size)) throw unknownSize();
    if (size > maxBytes) throw tooLargeError(maxBytes);
    if (size === 0) throw new JobError("empty", "The file in the store is empty.");
    await onSize?.(size);
    const hash = createHash("sha256");
    const file = await replaceWithNew(target);
    try {
      for await (const chunk of readWhole(wrapperOf(client), path, size)) {
        hash.update(chunk);
        await file.writeFile(chunk);
      }
    } finally {
      await file.close();
    }
    signal.throwIfAborted();
    // It is not used: what is stored of the source is its reference.
    const url = "sftp://store/";
    return {
      bytes: size,
      sha256: hash.digest("hex"),
      requestedUrl: url,
      finalUrl: url,
      contentType: undefined,
      charset: undefined,
      filename: basename(path),
    };
  }

  readonly openRanges = async (path: string): Promise<StoredRanges> => {
    const explain = (error: unknown) =>
      isSshError(error) ? describeFailure(error, "the file") : error;
    try {
      const { size, modifyTime } = await (await this.#connection.client()).stat(path);
      if (!Number.isSafeInteger(size)) throw unknownSize();
      const connection = {
        use: () => {
          const client = this.#connection.client();
          return {
            sftp: client.then(wrapperOf),
            close: () => this.#connection.closeOf(client),
          };
        },
        describe: explain,
      };
      return openSftpRanges(connection, path, { size, mtime: Math.trunc(modifyTime / 1000) });
    } catch (error) {
      throw explain(error);
    }
  };

  async put(file: StoreFile): Promise<StoredObject> {
    const stopWith = this.#connection.stopWith(file.signal);
    const temporary = temporaryPath(file.path, file.attemptName);
    let wasConnected = false;
    try {
      const client = await this.#connection.client();
      wasConnected = true;
      if (file.overwrite && file.isRepeated) {
        await restoreReplaced(client, temporary, file.path);
      }
      if (!file.overwrite && (await client.exists(file.path))) {
        return await confirmEarlier({ list: (request) => this.list(request) }, file);
      }
      for (const folder of foldersOf(file.path)) {
        if (!(await client.exists(folder))) await client.mkdir(folder);
      }
      await writeParts(wrapperOf(client), temporary, () => file.open(), file.onProgress);
      const { size } = await client.stat(temporary);
      if (size !== file.bytes) {
        const message = "The store has other bytes than those that were sent.";
        throw new JobError("export_failed", message);
      }
      if (file.overwrite) await renameOver(client, temporary, file.path);
      else await client.rename(temporary, file.path);
      return { etag: null };
    } catch (error) {
      const isStopped = file.signal.aborted;
      const isExplained = !isStopped && isSshError(error);
      const found = isExplained ? await this.#describeWrite(error, file) : error;
      const undo = () =>
        isStopped ? this.#undoStopped(temporary, file) : this.#undo(temporary, file);
      // A server that refuses a user counts their attempts.
      if (wasConnected) await undo().catch(() => {});
      file.signal.throwIfAborted();
      throw found;
    } finally {
      stopWith();
    }
  }

  /** Removes what was sent of a file. One that was being replaced gets its path back. */
  async #undo(temporary: string, { path, overwrite }: StoreFile): Promise<void> {
    try {
      await this.remove(temporary);
    } finally {
      if (overwrite) await restoreReplaced(await this.#connection.client(), temporary, path);
    }
  }

  /** The same for a stopped request, over a connection of its own: that of the request has ended with it. */
  async #undoStopped(temporary: string, file: StoreFile): Promise<void> {
    const undo = async (signal: AbortSignal) => {
      const store = new SftpStore(this.#access, { ...this.#context, signal });
      await store.#undo(temporary, file).finally(() => store.close());
    };
    await removeSent(undo, { hasResponded: false });
  }

  /** Servers have one status for most failures, also for a full disk: they are asked for their space. */
  async #describeWrite(error: Error, { path, bytes }: StoreFile): Promise<StoreError> {
    const isUnclear = codeOf(error) === statusFailure && !this.#connection.hasEnded;
    if (isUnclear) {
      const folder = foldersOf(path).at(-1) ?? ".";
      const client = this.#connection.client();
      const free = await client
        .then((connected) => freeBytes(wrapperOf(connected), folder))
        .catch(() => Number.POSITIVE_INFINITY);
      if (free < bytes) return noSpaceLeft(error);
    }
    return describeFailure(error, "the file");
  }

  async remove(path: string): Promise<void> {
    const client = await this.#connection.client();
    await client.delete(path, true).catch((error) => {
      throw describeFailure(error, "to delete the file");
    });
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async list(request: ListRequest): Promise<ListPage> {
    const client = await this.#connection.client();
    return listTree(request, async (folder) => {
      try {
        return await readFolder(wrapperOf(client), folder);
      } catch (error) {
        if (codeOf(error) === statusNoFile) return [];
        throw isSshError(error) ? describeFailure(error, "the list of files") : error;
      }
    });
  }
}

/** More names than this are not read: a server could send them for ever. */
const maxEntries = 20_000;

async function readFolder(sftp: SFTPWrapper, folder: string): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = [];
  let count = 0;
  for await (const { filename, attrs } of readNames(sftp, folder === "" ? "." : folder)) {
    if (++count > maxEntries) {
      const message = `The store has a folder with more than ${maxEntries} files.`;
      throw new StoreError(message, { isPermanent: true });
    }
    if (filename === "." || filename === ".." || filename === "" || filename.includes("/"))
      continue;
    const path = folder === "" ? filename : `${folder}/${filename}`;
    if (attrs.isDirectory()) entries.push({ kind: "folder", path });
    if (!attrs.isFile()) continue;
    const modifiedAt = Number.isSafeInteger(attrs.mtime) ? new Date(attrs.mtime * 1000) : null;
    const bytes = Number.isSafeInteger(attrs.size) ? attrs.size : 0;
    entries.push({ kind: "file", path, bytes, modifiedAt, etag: null });
  }
  return entries;
}

function unknownSize(): StoreError {
  const message = "The store does not say how large the file is.";
  return new StoreError(message, { isPermanent: true });
}
