import { callInWorker } from "#lib/engines/worker/call.ts";
import { attempt, type Inspection, type Properties, unreadableProperties } from "./report.ts";
import { readArchive } from "./worker-functions.ts";

/**
 * Reports `entries`, `unpacked_bytes` and `encrypted` of a ZIP archive, from its central directory.
 */
export async function inspectArchive({ input, work, signal }: Inspection): Promise<Properties> {
  const { value, problem } = await attempt(
    callInWorker(readArchive, { files: [input], work, signal }),
  );
  if (!value) return unreadableProperties(problem);
  const { entries, unpackedBytes, encrypted } = value.result;
  return { entries, unpacked_bytes: unpackedBytes, encrypted };
}
