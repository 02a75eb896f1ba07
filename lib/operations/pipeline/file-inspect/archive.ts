import { readArchive } from "#lib/engines/worker/containers.ts";
import { attempt, type Figures, type Inspection, unreadable } from "./report.ts";

/** `entries unpacked_bytes encrypted` of a ZIP archive, from its directory. */
export async function inspectArchive({ input, signal }: Inspection): Promise<Figures> {
  const { value, problem } = await attempt(readArchive(input, signal));
  if (!value) return unreadable(problem);
  const { entries, unpackedBytes, encrypted } = value;
  return { entries, unpacked_bytes: unpackedBytes, encrypted };
}
