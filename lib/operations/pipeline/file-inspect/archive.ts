import { readArchive } from "#lib/engines/worker/containers.ts";
import { attempt, type Inspection, type Properties, unreadableProperties } from "./report.ts";

/** `entries`, `unpacked_bytes` and `encrypted` of a ZIP archive, from its central directory. */
export async function inspectArchive({ input, signal }: Inspection): Promise<Properties> {
  const { value, problem } = await attempt(readArchive(input, signal));
  if (!value) return unreadableProperties(problem);
  const { entries, unpackedBytes, encrypted } = value;
  return { entries, unpacked_bytes: unpackedBytes, encrypted };
}
