import { randomBytes } from "node:crypto";
import { copyFile, link, lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, type EngineName } from "../sandbox/errors.ts";
import { processPath } from "../sandbox/process-folder.ts";
import type { WorkFile } from "../sandbox/work-folder.ts";

/**
 * The folder of one warm engine process, bound into its sandbox at its start: a job's files are linked
 * in and moved out. They lie at the top of it, never in a part: the top is a mount that the process
 * cannot exchange, where a part could become a link that leads us out of the sandbox.
 */
export class Slot {
  /** Absolute. */
  readonly root: string;
  readonly #engine: EngineName;

  private constructor(engine: EngineName, root: string) {
    this.#engine = engine;
    this.root = root;
  }

  /** A new, empty one; for nobody but this user. */
  static async create(engine: EngineName): Promise<Slot> {
    const root = processPath("slots", `${engine}-${randomBytes(6).toString("hex")}`);
    await mkdir(root, { recursive: true, mode: 0o700 });
    return new Slot(engine, root);
  }

  /** Makes `file` readable inside, without copying its bytes where that can be. Resolves with its name there. */
  async takeIn(file: WorkFile): Promise<string> {
    const name = slotName(file);
    const path = join(this.root, name);
    try {
      await link(file.path, path);
    } catch (error) {
      // Another device, or a file system without links.
      if (!["EXDEV", "EPERM", "EMLINK"].includes(codeOf(error))) throw error;
      await copyFile(file.path, path);
    }
    return name;
  }

  /** Moves what the process left as `name` to `path`. Throws where it is anything but a regular file. */
  async moveOut(name: string, path: string): Promise<void> {
    const inside = join(this.root, name);
    try {
      await rename(inside, path);
    } catch (error) {
      if (codeOf(error) !== "EXDEV") throw error;
      await this.#requireRegular(inside);
      await copyFile(inside, path);
    }
    // A link would have been moved as such, and would be followed by whoever reads it next.
    await this.#requireRegular(path);
  }

  /** Removes everything inside, so that the next job finds nothing of this one. */
  async empty(): Promise<void> {
    const entries = await readdir(this.root);
    await Promise.all(entries.map((name) => removeAll(join(this.root, name))));
  }

  /** Removes the folder itself. */
  remove(): Promise<void> {
    return removeAll(this.root);
  }

  async #requireRegular(path: string): Promise<void> {
    if ((await lstat(path)).isFile()) return;
    await removeAll(path);
    const cause = new Error("an output is not a regular file");
    throw new EngineError({ engine: this.#engine, cause });
  }
}

/** What `file` is called in a slot: `in-0.png` for `in/0.png`. */
export function slotName(file: Pick<WorkFile, "name">): string {
  return file.name.replaceAll("/", "-");
}

const removeAll = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 });

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ""; // what node:fs throws has a code
}
