import { mkdirSync, readdirSync } from "node:fs";
import { readdir, rm, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { type FileLimits, widestLimits } from "#lib/limits/limits.ts";
import type { Network } from "#lib/net/network.ts";
import type { SandboxView } from "./bubblewrap/arguments.ts";

/** A file in a work folder. Its name is allocated; file names of users are never used on disk. */
export interface WorkFile {
  /**
   * The path relative to the work folder, such as `out/0.png`. Engines run in the folder and get
   * this name.
   */
  readonly name: string;
  /** The absolute path outside the sandbox. */
  readonly path: string;
  /** The extension without its dot. */
  readonly extension: string;
  /**
   * The final encoding of an image between two operations of a chain, whose pixels are stored as
   * PNG, not as the extension says; see lib/engines/image/encoding.ts.
   */
  readonly encoding?: Readonly<Record<string, unknown>>;
  /** Whether another operation of the chain reads this output, so that its pixels need no encoding. */
  readonly isIntermediate?: true;
  /**
   * The content of a file that is read in part. Nothing is at `path` then; ffmpeg and ffprobe can
   * read it.
   */
  readonly partial?: PartialContent;
}

/** Where engines read a file that is not on disk completely. */
export interface PartialContent {
  /** The UNIX socket of the HTTP server that serves it; see `../partial/range-server.ts`. */
  readonly socket: string;
  /** The size of the whole file. */
  readonly bytes: number;
  /** Ends the operation, which then runs again with the whole file. `reason` is for the log. */
  requireWhole(reason: string): never;
}

/** Files whose names are consecutive numbers. */
export interface FileSeries {
  readonly files: readonly WorkFile[];
  /** The number of the first file. */
  readonly first: number;
  /** A file that does not exist: `%d` in its name stands for the number. */
  readonly pattern: WorkFile;
}

export interface WorkFolderOptions {
  /** What the job's files may load, such as a page its resources. */
  readonly network: Network;
  /** The limits on files; the highest of all plans by default. */
  readonly limits?: FileLimits | undefined;
  readonly isIntermediate?: boolean | undefined;
  /** Whether subfolders are only created when a path in them is allocated. */
  readonly createsLater?: boolean | undefined;
  /** That of the operation before in the same folder: names that it has allocated are not used again. */
  readonly after?: WorkFolder | undefined;
}

/** What an engine sees of a work folder. */
export type WorkFolderView = Required<Pick<SandboxView, "folder" | "writable">>;

const subfolders = ["in", "out", "tmp"] as const;

const extensionPattern = /^[a-z0-9]{1,8}$/;

/**
 * The folder of one job. It allocates all paths in it: `in/` for inputs, `out/` for outputs, `tmp/`
 * for intermediate files. For an engine, it is the only writable folder.
 */
export class WorkFolder {
  readonly root: string;
  /** The limits on the job's input files and results. */
  readonly limits: FileLimits;
  /** What the job's files may load. */
  readonly network: Network;
  /** Whether outputs are images that another operation of the chain reads. */
  readonly isIntermediate: boolean;
  readonly #counters: Record<(typeof subfolders)[number], number>;
  #warnings = new Set<string>();
  /** The subfolders that have still to be created. */
  readonly #missing: Set<string>;

  private constructor(root: string, options: WorkFolderOptions) {
    const { network, limits = widestLimits, isIntermediate = false, after } = options;
    this.#missing = new Set(options.createsLater ? subfolders : []);
    this.root = root;
    this.limits = limits;
    this.network = network;
    this.isIntermediate = isIntermediate;
    this.#counters = after ? after.#counters : { in: 0, out: 0, tmp: 0 };
  }

  /** Creates the folder at `root` (absolute) and its subfolders, unless they exist. */
  static create(root: string, options: WorkFolderOptions): WorkFolder {
    for (const subfolder of options.createsLater ? [] : subfolders) createFolder(root, subfolder);
    return new WorkFolder(root, options);
  }

  /**
   * The view of an engine that writes outputs or intermediate files. Inputs are read-only, because
   * the storage may share them.
   */
  get view(): WorkFolderView {
    return { folder: this.root, writable: ["out", "tmp"] };
  }

  /** The view of an engine that writes no file. */
  get readOnlyView(): WorkFolderView {
    return { folder: this.root, writable: [] };
  }

  /** Allocates a path for an input. */
  input(extension: string): WorkFile {
    return this.#allocate("in", extension);
  }

  /** Allocates a path for an output. */
  output(extension: string): WorkFile {
    const file = this.#allocate("out", extension);
    return this.isIntermediate ? { ...file, isIntermediate: true } : file;
  }

  /** Allocates paths for `count` outputs or intermediate files that an engine numbers itself. */
  series(subfolder: "out" | "tmp", extension: string, count: number): FileSeries {
    const first = this.#counters[subfolder];
    const files = Array.from({ length: count }, () => this.#allocate(subfolder, extension));
    const name = `${subfolder}/%d.${extension}`;
    return { files, first, pattern: { name, path: join(this.root, name), extension } };
  }

  /** The intermediate files that an engine names `prefix`-0, `prefix`-1, … next to the scratch `file`. */
  async listNumbered({ name }: WorkFile, extension: string): Promise<WorkFile[]> {
    const prefix = `${name.slice("tmp/".length, name.lastIndexOf("."))}-`;
    const names = (await readdir(join(this.root, "tmp")))
      .filter((found) => found.startsWith(prefix) && found.endsWith(`.${extension}`))
      .map((found) => Number(found.slice(prefix.length, -extension.length - 1)))
      .filter((number) => Number.isInteger(number))
      .sort((a, b) => a - b)
      .map((number) => `tmp/${prefix}${number}.${extension}`);
    return names.map((found) => ({ name: found, path: join(this.root, found), extension }));
  }

  /** Adds a warning to the job: what did not stop it, in one sentence. The same one is added once. */
  warn(text: string): void {
    this.#warnings.add(text);
  }

  /** The warnings since the last call. */
  takeWarnings(): string[] {
    const warnings = [...this.#warnings];
    this.#warnings.clear();
    return warnings;
  }

  /** Allocates a path for an intermediate file. */
  scratch(extension: string): WorkFile {
    return this.#allocate("tmp", extension);
  }

  /** Removes the folder itself. */
  async remove(): Promise<void> {
    try {
      await this.#removeFiles();
    } catch {
      // An engine may have left anything, such as folders, or may have removed the subfolders.
      await rm(this.root, { recursive: true, force: true });
    }
  }

  /** Removes a folder in which only files are left, with far fewer calls than `rm`. */
  async #removeFiles(): Promise<void> {
    const removals = subfolders.map(async (subfolder) => {
      const folder = join(this.root, subfolder);
      for (const name of readdirSync(folder)) await unlink(join(folder, name));
      await rmdir(folder);
    });
    await Promise.all(removals);
    await rmdir(this.root);
  }

  #allocate(subfolder: (typeof subfolders)[number], extension: string): WorkFile {
    if (!extensionPattern.test(extension)) throw new Error(`invalid extension ${extension}`);
    if (this.#missing.delete(subfolder)) createFolder(this.root, subfolder);
    const name = `${subfolder}/${this.#counters[subfolder]++}.${extension}`;
    return { name, path: join(this.root, name), extension };
  }
}

function createFolder(root: string, subfolder: string): void {
  // The bundler must not trace these paths: they do not belong to the web app.
  mkdirSync(/* turbopackIgnore: true */ join(root, subfolder), { recursive: true });
}
