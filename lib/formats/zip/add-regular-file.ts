import { Readable } from "node:stream";
import type { ReadStreamOptions, ZipFile } from "yazl";
import { streamRegular } from "#lib/files/regular-files.ts";

/**
 * Adds the file at `path`, which is opened when its turn comes. If it is not a regular file, or cannot be
 * opened, `zip` emits `error`: yazl calls back from events of streams, where nothing catches an exception.
 */
export function addRegularFile(
  zip: ZipFile,
  name: string,
  path: string,
  options: Partial<ReadStreamOptions>,
): void {
  zip.addReadStreamLazy(name, options, (done) => {
    try {
      done(null, streamRegular(path));
    } catch (error) {
      // yazl does not read the stream of an error.
      done(error, Readable.from([]));
    }
  });
}
