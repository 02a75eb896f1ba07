import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { stateFolder } from "../settings/folders.ts";
import type { Task } from "./plan.ts";
import type { RunRequest } from "./request.ts";
import { labelOf } from "./sources.ts";

interface DoneEntry {
  readonly task: string;
  readonly inputs: readonly FileState[];
  readonly outputs: readonly FileState[];
}

export interface FileState {
  readonly path: string;
  readonly bytes: number;
  /** The time of the change in milliseconds since 1970. */
  readonly changedAt: number;
}

/**
 * Which tasks of an operation with the same parameters are done: what their inputs and outputs were. A
 * line is added for each, so that a program that is killed loses none of them.
 */
export class DoneFiles {
  readonly #path: string;
  readonly #entries = new Map<string, DoneEntry>();

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * Opens the list for an `identity`: the service, the operation, its parameters and the output
   * folder.
   */
  static async open(identity: unknown): Promise<DoneFiles> {
    const hash = createHash("sha256").update(JSON.stringify(identity)).digest("hex");
    const files = new DoneFiles(join(stateFolder(), "done", `${hash.slice(0, 32)}.jsonl`));
    const text = await readFile(files.#path, "utf8").catch(() => "");
    for (const line of text.split("\n")) {
      const entry = parseEntry(line);
      if (entry) files.#entries.set(entry.task, entry);
    }
    return files;
  }

  /** Whether the task's inputs and outputs are as they were when it was done. */
  async isDone(task: Task): Promise<boolean> {
    const entry = this.#entries.get(keyOf(task));
    if (!entry || entry.outputs.length === 0) return false;
    const states = [...entry.inputs, ...entry.outputs];
    const now = await Promise.all(states.map(({ path }) => stateOf(path)));
    return states.every(
      ({ bytes, changedAt }, index) =>
        now[index]?.bytes === bytes && now[index]?.changedAt === changedAt,
    );
  }

  /** Adds a task; `inputs` are the states of its inputs before it began. */
  async add(task: Task, inputs: readonly FileState[], outputs: readonly string[]): Promise<void> {
    const states = await Promise.all(outputs.map((path) => stateOf(resolve(path))));
    const known = states.filter((state) => state !== undefined);
    if (known.length === 0) return;
    const entry: DoneEntry = { task: keyOf(task), inputs, outputs: known };
    await mkdir(dirname(this.#path), { recursive: true });
    await appendFile(this.#path, `${JSON.stringify(entry)}\n`);
  }
}

/** The states of the local files that the task is made from. */
export async function inputStates({ sources }: Task, { steps }: RunRequest): Promise<FileState[]> {
  const inputs = sources.flatMap((source) => (source.kind === "file" ? [source.path] : []));
  const paths = [...inputs, ...steps.flatMap(({ files }) => Object.values(files))];
  const states = await Promise.all(paths.map((path) => stateOf(resolve(path))));
  return states.filter((state) => state !== undefined);
}

/** What a task is, with any content of its files. */
export function keyOf({ sources }: Task): string {
  return sources
    .map((source) => (source.kind === "file" ? resolve(source.path) : labelOf(source)))
    .join("\n");
}

async function stateOf(path: string): Promise<FileState | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && { path, bytes: found.size, changedAt: Math.floor(found.mtimeMs) };
}

/** Parses a line. Returns undefined for one that was not written to its end. */
function parseEntry(line: string): DoneEntry | undefined {
  try {
    const entry = JSON.parse(line) as DoneEntry;
    return Array.isArray(entry.outputs) ? entry : undefined;
  } catch {
    return undefined;
  }
}
