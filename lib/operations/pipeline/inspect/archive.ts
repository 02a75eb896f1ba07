import { type Entry, openPromise } from "yauzl";
import { type Figures, type Inspection, unreadable } from "./answer.ts";

/** Beyond it the figures are of the first so many. */
const maxEntries = 100_000;

/** `entries unpacked_bytes encrypted` of a ZIP archive, from its directory. */
export async function inspectArchive({ input, signal }: Inspection): Promise<Figures> {
  let [entries, unpacked, encrypted] = [0, 0, false];
  try {
    const archive = await openPromise(input.path, { decodeStrings: false });
    for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
      signal.throwIfAborted();
      entries++;
      unpacked += entry.uncompressedSize;
      encrypted ||= entry.isEncrypted();
      if (entries >= maxEntries) break;
    }
  } catch (error) {
    if (signal.aborted) throw error;
    return unreadable("corrupt");
  }
  return { entries, unpacked_bytes: unpacked, encrypted };
}
