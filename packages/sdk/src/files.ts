import type { FileInput } from "./types.ts";

/** A file as it is sent: by its URL, upload or connection, or by its content. */
export type ResolvedFile = { readonly url: string } | LocalFile;

/** A file that is sent by its content. */
export interface LocalFile {
  readonly blob: Blob;
  readonly filename: string;
  /** The same for the same file in another process; undefined for content that has no name or time. */
  readonly fingerprint?: string;
}

const remote = /^(?:https?:\/\/|upload_|conn_[0-9a-z]{24}:)/i;

/** Makes any kind of file input a URL or a Blob. */
export async function resolveFile(input: FileInput, fallback = "file"): Promise<ResolvedFile> {
  if (input instanceof URL) return { url: input.href };
  if (typeof input === "string") return remote.test(input) ? { url: input } : openPath(input);
  if (input instanceof Blob) {
    const { name, lastModified } = input as Blob & { name?: string; lastModified?: number };
    const file = { blob: input, filename: name || fallback };
    if (!name || lastModified === undefined) return file;
    return { ...file, fingerprint: `${name} ${input.size} ${lastModified}` };
  }
  if (input instanceof Response) {
    const filename = new URL(input.url || "x:/").pathname.split("/").pop() || fallback;
    return { blob: await input.blob(), filename };
  }
  if (input instanceof ReadableStream) {
    return { blob: await new Response(input).blob(), filename: fallback };
  }
  if ("file" in input) {
    const { file, filename } = input;
    return { blob: file instanceof Blob ? file : new Blob([file as BlobPart]), filename };
  }
  return { blob: new Blob([input as BlobPart]), filename: fallback };
}

interface FileModule {
  openAsBlob(path: string): Promise<Blob>;
  readonly promises: {
    access(path: string): Promise<void>;
    realpath(path: string): Promise<string>;
    stat(path: string): Promise<{ readonly mtimeMs: number }>;
  };
}

/** A file of the disk, which is read only when it is sent. */
async function openPath(path: string): Promise<ResolvedFile> {
  const { openAsBlob, promises } = await nodeModule<FileModule>("node:fs");
  // Unlike `openAsBlob`, it names the file that does not exist.
  await promises.access(path);
  const blob = await openAsBlob(path);
  const { mtimeMs } = await promises.stat(path);
  return {
    blob,
    filename: path.split(/[/\\]/).pop() || "file",
    fingerprint: `${await promises.realpath(path)} ${blob.size} ${mtimeMs}`,
  };
}

/** A module of Node, which bundlers for browsers must not look for. */
export function nodeModule<Module>(name: string): Promise<Module> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ name);
}

/** Whether a parameter is the content of a file, to be sent as a part of a form. */
export function isContent(value: unknown): value is FileInput {
  return (
    value instanceof Blob ||
    value instanceof Uint8Array ||
    value instanceof ArrayBuffer ||
    value instanceof ReadableStream ||
    value instanceof Response ||
    (typeof value === "object" && value !== null && "file" in value && "filename" in value)
  );
}

/** How much of a file is read at once. */
const partBytes = 2 ** 19;

/** The content of `blob` as a stream that reports how many percent of it were read. */
export function withProgress(
  blob: Blob,
  onPercent: (percent: number) => void,
): ReadableStream<Uint8Array> {
  let sent = 0;
  // By parts, because the stream of a blob in memory may be one chunk.
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (sent >= blob.size) return controller.close();
    const part = await blob.slice(sent, sent + partBytes).arrayBuffer();
    sent += part.byteLength;
    onPercent(Math.round((1000 * sent) / blob.size) / 10);
    controller.enqueue(new Uint8Array(part));
  };
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}
