import { randomBytes } from "node:crypto";
import { linkSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { copyToNew, readReportSync, writeNewSync } from "#lib/files/regular-files.ts";
import type { SandboxView } from "../sandbox/bubblewrap/arguments.ts";
import { EngineError, type EngineName } from "../sandbox/failures/errors.ts";
import { processPath } from "../sandbox/folder/process-folder.ts";
import { removeTree } from "../sandbox/remove-tree.ts";
import type { WorkFile } from "../sandbox/work-folder.ts";

const subfolders = ["in", "out"] as const;

/** How long a killed process is waited for before its folder is removed again. */
const removalDelaysMs = [5, 50, 500];

/**
 * The folder of one warm engine process, which is bound into its sandbox at the start. The files of
 * a job are linked into `in` and moved out of `out`. The process can write only `out`: a link to an
 * input is the file in storage itself, and read-only mounts refuse every change to it. Both are mount
 * points, which the process cannot replace with a link out of the sandbox, and files are at their top
 * level.
 *
 * Links are made, moved and removed synchronously: each call takes some microseconds, and a turn
 * through the thread pool takes ten times as long.
 */
export class SlotFolder {
  /** The absolute path of the folder. */
  readonly root: string;
  readonly #engine: EngineName;

  private constructor(engine: EngineName, root: string) {
    this.#engine = engine;
    this.root = root;
  }

  /** Creates an empty folder that only this user can access. */
  static async create(engine: EngineName): Promise<SlotFolder> {
    const root = processPath("slots", `${engine}-${randomBytes(6).toString("hex")}`);
    for (const subfolder of subfolders) {
      await mkdir(join(/* turbopackIgnore: true */ root, subfolder), {
        recursive: true,
        mode: 0o700,
      });
    }
    return new SlotFolder(engine, root);
  }

  /** What the process can access of it. Names of files are relative to its working directory. */
  get view(): SandboxView {
    return { folder: this.root, writable: ["out"] };
  }

  /**
   * Links `file` into the folder, or copies it if linking is not possible. Returns its
   * `slotInputName`.
   */
  async linkIn(file: WorkFile): Promise<string> {
    const name = slotInputName(file);
    const path = join(this.root, name);
    try {
      linkSync(file.path, path);
    } catch (error) {
      // Another file system, or one without hard links.
      if (!["EXDEV", "EPERM", "EMLINK"].includes(codeOf(error))) throw error;
      await copyToNew(file.path, path);
    }
    return name;
  }

  /** Writes `bytes` into the folder as the input `file`. */
  writeIn(file: Pick<WorkFile, "name">, bytes: Uint8Array): void {
    writeNewSync(join(this.root, slotInputName(file)), bytes);
  }

  /** The bytes of the output `name`, a `slotOutputName`. Throws `EngineError` if it is not a regular file. */
  readOut(name: string): Buffer {
    try {
      return readReportSync(join(this.root, name));
    } catch (cause) {
      throw new EngineError({ engine: this.#engine, cause });
    }
  }

  /** Moves the output `name`, a `slotOutputName`, to `path`. Throws `EngineError` if it is not a regular file. */
  async moveOut(name: string, path: string): Promise<void> {
    const source = join(this.root, name);
    try {
      renameSync(source, path);
    } catch (error) {
      if (codeOf(error) !== "EXDEV") throw error;
      await this.#requireRegular(source);
      await rm(path, { force: true });
      await copyToNew(source, path);
    }
    // A link is moved as a link, and the next reader would follow it.
    await this.#requireRegular(path);
  }

  /**
   * Removes all files, so that the next job cannot access the files of this one. Throws if the process
   * left a folder that is not empty. Then it must be stopped: while it runs, it could replace a folder
   * whose files are being removed with a link out of the sandbox.
   */
  async empty(): Promise<void> {
    for (const subfolder of subfolders) {
      const folder = join(/* turbopackIgnore: true */ this.root, subfolder);
      for (const name of readdirSync(/* turbopackIgnore: true */ folder))
        removeEntry(join(/* turbopackIgnore: true */ folder, name));
    }
  }

  /**
   * Removes the folder itself. A killed process may write there until it has ended, so files may appear
   * meanwhile, and links are not followed.
   */
  async remove(): Promise<void> {
    for (const delayMs of removalDelaysMs) {
      try {
        return removeTree(this.root);
      } catch (error) {
        if (codeOf(error) !== "ENOTEMPTY") throw error;
        await wait(delayMs);
      }
    }
    removeTree(this.root);
  }

  async #requireRegular(path: string): Promise<void> {
    if (lstatSync(path).isFile()) return;
    removeTree(path);
    const cause = new Error("an output is not a regular file");
    throw new EngineError({ engine: this.#engine, cause });
  }
}

/** The name of the input `file` for the process: `in/in-0.png` for `in/0.png`. */
export function slotInputName(file: Pick<WorkFile, "name">): string {
  return `in/${slotFileName(file)}`;
}

/** The name under which the process writes the output `file`: `out/out-0.png` for `out/0.png`. */
export function slotOutputName(file: Pick<WorkFile, "name">): string {
  return `out/${slotFileName(file)}`;
}

/** The name of `file` in a subfolder of a slot folder: `in-0.png` for `in/0.png`. */
export function slotFileName(file: Pick<WorkFile, "name">): string {
  return file.name.replaceAll("/", "-");
}

/** Removes anything except a folder with content. */
function removeEntry(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    // What a folder answers on Linux, and elsewhere.
    if (!["EISDIR", "EPERM"].includes(codeOf(error))) throw error;
    rmdirSync(path);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ""; // what node:fs throws has a code
}
