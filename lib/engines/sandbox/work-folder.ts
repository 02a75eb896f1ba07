import { mkdirSync } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type FileLimits, widestLimits } from "#lib/limits/limits.ts";
import type { SandboxView } from "./bubblewrap.ts";
import { EngineError, type EngineName } from "./errors.ts";

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
  /** What the job's files may be, and what may become of them. */
  readonly limits: FileLimits;
  #counters = { in: 0, out: 0, tmp: 0 };

  private constructor(root: string, caps: FileLimits) {
    this.root = root;
    this.limits = caps;
  }

  /** Makes the folder at `root` (absolute) and its three parts, or opens them if they are there. */
  static create(root: string, caps: FileLimits = widestLimits): WorkFolder {
    for (const part of ["in", "out", "tmp"]) {
      // Paths of jobs are no part of the web app, whatever the bundler makes of them.
      mkdirSync(/* turbopackIgnore: true */ join(root, part), { recursive: true });
    }
    return new WorkFolder(root, caps);
  }

  /** What an engine that runs in it sees; inputs cannot be changed, for they may be shared with the storage. */
  get view(): SandboxView {
    return { folder: this.root, protected: ["in"] };
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

  /**
   * Throws where an engine has left anything but files in it: a link would lead whoever reads or stores
   * it out of the sandbox. To be called once the engine has ended, before anything of it is read.
   */
  async requireFiles(engine: EngineName): Promise<void> {
    for (const part of ["out", "tmp"]) {
      const folder = join(this.root, part);
      const isFolder = (await lstat(folder)).isDirectory();
      const entries = isFolder ? await readdir(folder, { withFileTypes: true }) : [];
      if (isFolder && entries.every((entry) => entry.isFile())) continue;
      throw new EngineError({ engine, cause: new Error(`not only files in ${part}`) });
    }
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
