import { mkdirSync } from "node:fs";
import { copyFile, link, lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** A file in a work folder, under a name that we made: what a user called it never reaches the disk. */
export interface WorkFile {
  /** Relative to the work folder, such as `out/0.png`. Engines run inside the folder and are told this. */
  readonly name: string;
  /** Absolute, on this side of the sandbox. */
  readonly path: string;
  /** Without the dot. */
  readonly extension: string;
}

const extensionPattern = /^[a-z0-9]{1,8}$/;

/**
 * The folder of one job, and the only place that mints paths in it: `in/` for inputs, `out/` for
 * outputs, `tmp/` for what lies between. An engine sees this folder as its whole writable world.
 */
export class WorkFolder {
  readonly root: string;
  #counters = { in: 0, out: 0, tmp: 0 };

  private constructor(root: string) {
    this.root = root;
  }

  /** Makes the folder at `root` (absolute) and its three parts, or opens them if they are there. */
  static create(root: string): WorkFolder {
    for (const part of ["in", "out", "tmp"]) {
      // Paths of jobs are no part of the web app, whatever the bundler makes of them.
      mkdirSync(/* turbopackIgnore: true */ join(root, part), { recursive: true });
    }
    return new WorkFolder(root);
  }

  /** A new place for an input. */
  input(extension: string): WorkFile {
    return this.#mint("in", extension);
  }

  /** A new place for an output; the first one minted is the job's first output. */
  output(extension: string): WorkFile {
    return this.#mint("out", extension);
  }

  /** A new place for something that is gone when the job ends. */
  scratch(extension: string): WorkFile {
    return this.#mint("tmp", extension);
  }

  /** Makes `file` of another folder readable here under the same name, without copying its bytes. */
  async adopt(file: WorkFile): Promise<WorkFile> {
    const path = join(this.root, file.name);
    await link(file.path, path).catch(whereDevicesDiffer(() => copyFile(file.path, path)));
    return { ...file, path };
  }

  /** Moves what an engine wrote here under `file.name` to `file.path`, in the folder that minted it. */
  async release(file: WorkFile): Promise<void> {
    const path = join(this.root, file.name);
    // A link that an engine left would lead us out of its sandbox.
    if (!(await lstat(path)).isFile()) throw new Error(`${file.name} is not a regular file`);
    await rename(path, file.path).catch(whereDevicesDiffer(() => copyFile(path, file.path)));
  }

  /** Removes everything inside, so that the next job finds nothing of this one. */
  async empty(): Promise<void> {
    for (const entry of await readdir(/* turbopackIgnore: true */ this.root)) {
      await rm(join(this.root, entry), { recursive: true, force: true });
    }
    for (const part of ["in", "out", "tmp"]) await mkdir(join(this.root, part));
    this.#counters = { in: 0, out: 0, tmp: 0 };
  }

  /** Removes the folder itself. */
  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }

  #mint(part: "in" | "out" | "tmp", extension: string): WorkFile {
    if (!extensionPattern.test(extension)) throw new Error(`unusable extension ${extension}`);
    const name = `${part}/${this.#counters[part]++}.${extension}`;
    return { name, path: join(this.root, name), extension };
  }
}

/** For `catch`: does `copy` where a link or a move failed because the folders are on two devices. */
function whereDevicesDiffer(copy: () => Promise<void>) {
  return (error: NodeJS.ErrnoException): Promise<void> => {
    if (error.code !== "EXDEV") throw error;
    return copy();
  };
}
