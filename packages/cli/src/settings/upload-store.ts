import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { UploadStore } from "../../../sdk/src/index.ts";
import { stateFolder } from "./folders.ts";

/** The service keeps an unfinished upload for a day. */
const keptMs = 86_400_000;

/** The ids of uploads by what they are of, with the time of their beginning in milliseconds since 1970. */
type Entries = Record<string, { readonly id: string; readonly since: number }>;

/** Keeps the ids of unfinished uploads, so that a command that was stopped goes on when it is called again. */
export class FileUploadStore implements UploadStore {
  readonly #path = join(stateFolder(), "uploads.json");
  #turn: Promise<unknown> = Promise.resolve();

  async get(key: string): Promise<string | undefined> {
    return (await this.#read())[key]?.id;
  }

  set(key: string, id: string): Promise<void> {
    return this.#change((entries) => ({ ...entries, [key]: { id, since: Date.now() } }));
  }

  delete(key: string): Promise<void> {
    return this.#change(({ [key]: _gone, ...rest }) => rest);
  }

  /** A file that cannot be read is as good as none: the upload then begins again. */
  async #read(): Promise<Entries> {
    try {
      const entries = JSON.parse(await readFile(this.#path, "utf8")) as Entries;
      const since = Date.now() - keptMs;
      return Object.fromEntries(Object.entries(entries).filter(([, one]) => one.since > since));
    } catch {
      return {};
    }
  }

  /** One change after the other. A folder that cannot be written does not keep an upload from going on now. */
  #change(change: (entries: Entries) => Entries): Promise<void> {
    const write = async () => {
      const content = JSON.stringify(change(await this.#read()));
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      const partial = `${this.#path}.${process.pid}`;
      await writeFile(partial, content, { mode: 0o600 });
      await rename(partial, this.#path);
    };
    const done = this.#turn.then(write).catch(() => {});
    this.#turn = done;
    return done;
  }
}
