import { EngineError } from "#lib/engines/sandbox/failures/errors.ts";
import { runEngine } from "#lib/engines/sandbox/run-engine.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";

/**
 * Whether poppler's pdfsig finds each signature valid, by the name of its field; without those that it
 * cannot check. Empty if it fails.
 */
export async function readPdfsigStates(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<Map<string, boolean>> {
  const limits = { timeoutMs: 30_000, memoryBytes: 2 * 2 ** 30, limitsAddressSpace: true };
  const args = ["-nocert", file.name];
  const successCodes = [0, 1, 2];
  const request = {
    engine: "poppler",
    command: "pdfsig",
    args,
    ...work.readOnlyView,
    signal,
    limits,
    successCodes,
  } as const;
  try {
    const { stdout } = await runEngine(request);
    return parsePdfsig(stdout.toString("utf8"));
  } catch (error) {
    // The own check has its result already; this one only confirms it.
    if (error instanceof EngineError && !error.aborted) return new Map();
    throw error;
  }
}

export function parsePdfsig(text: string): Map<string, boolean> {
  const states = new Map<string, boolean>();
  for (const section of text.split(/^Signature #\d+:$/m).slice(1)) {
    const name = /^ {2}- Signature Field Name: (.*)$/m.exec(section)?.[1];
    const state = /^ {2}- Signature Validation: (.*)$/m.exec(section)?.[1];
    if (name === undefined || state === undefined) continue;
    if (/is Valid/.test(state)) states.set(name, true);
    if (/is Invalid|Digest Mismatch/.test(state)) states.set(name, false);
  }
  return states;
}
