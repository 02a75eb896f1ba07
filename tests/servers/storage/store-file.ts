import { Readable } from "node:stream";
import type { StoreFile } from "#lib/connections/stores/store.ts";

const content = Buffer.from("content");

/** A small file to send to a store. */
export const smallFile = (signal: AbortSignal): StoreFile => ({
  path: "a.txt",
  bytes: content.length,
  contentType: "text/plain",
  overwrite: true,
  isRepeated: false,
  since: new Date(),
  attemptName: "job_1-1",
  open: async () => Readable.from([content]),
  signal,
  onProgress: () => {},
});
