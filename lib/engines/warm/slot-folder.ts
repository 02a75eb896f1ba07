import { randomBytes } from "node:crypto";
import { linkSync, lstatSync, readdirSync, renameSync, unlinkSync } from "node:fs";
import { copyFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, type EngineName } from "../sandbox/errors.ts";
import { processPath } from "../sandbox/process-folder.ts";
import type { WorkFile } from "../sandbox/work-folder.ts";

/**
 * The folder of one warm engine process, which is bound into its sandbox at the start. The files of
 * a job are linked in and moved out. They are always at the top level: it is a mount point that the
 * process cannot replace, whereas it could replace a subfolder with a link out of the sandbox.
 *
 * Links are made, moved and removed synchronously: each call takes some microseconds, and a turn
 * through the thread pool takes ten times as long.
 */
export class SlotFolder {
  /** Absolute. */
  readonly root: string;
  readonly #engine: EngineName;

  private constructor(engine: EngineName, root: string) {
    this.#engine = engine;
    this.root = root;
  }

  /** Creates an empty folder that only this user can access. */
  static async create(engine: EngineName): Promise<SlotFolder> {
    const root = processPath("slots", `${engine}-${randomBytes(6).toString("hex")}`);
    await mkdir(root, { recursive: true, mode: 0o700 });
    return new SlotFolder(engine, root);
  }

  /**
   * Links `file` into the folder, or copies it if linking is not possible. Returns its name there.
   */
  async linkIn(file: WorkFile): Promise<string> {
    const name = slotFileName(file);
    const path = join(this.root, name);
    try {
      linkSync(file.path, path);
    } catch (error) {
      // Another file system, or one without hard links.
      if (!["EXDEV", "EPERM", "EMLINK"].includes(codeOf(error))) throw error;
      await copyFile(file.path, path);
    }
    return name;
  }

  /** Moves the output `name` to `path`. Throws `EngineError` if it is not a regular file. */
  async moveOut(name: string, path: string): Promise<void> {
    const source = join(this.root, name);
    try {
      renameSync(source, path);
    } catch (error) {
      if (codeOf(error) !== "EXDEV") throw error;
      await this.#requireRegular(source);
      await copyFile(source, path);
    }
    // A link is moved as a link, and the next reader would follow it.
    await this.#requireRegular(path);
  }

  /** Removes all files, so that the next job cannot access the files of this one. */
  async empty(): Promise<void> {
    for (const name of readdirSync(this.root)) {
      const path = join(this.root, name);
      try {
        unlinkSync(path);
      } catch {
        await removeAll(path); // a folder, or removed by the process meanwhile
      }
    }
  }

  /** Removes the folder itself. */
  remove(): Promise<void> {
    return removeAll(this.root);
  }

  async #requireRegular(path: string): Promise<void> {
    if (lstatSync(path).isFile()) return;
    await removeAll(path);
    const cause = new Error("an output is not a regular file");
    throw new EngineError({ engine: this.#engine, cause });
  }
}

/** The name of `file` in a slot folder: `in-0.png` for `in/0.png`. */
export function slotFileName(file: Pick<WorkFile, "name">): string {
  return file.name.replaceAll("/", "-");
}

const removeAll = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 });

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ""; // what node:fs throws has a code
}
