import { openImage } from "#lib/engines/image/open.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import type { Picture } from "./model.ts";

/** Formats that all office programs and e-book readers show. */
const embeddable = { png: "png", jpeg: "jpg", gif: "gif" } as const;

/** Pictures of one document; further ones are left out. */
const maxPictures = 2000;

/** Collects the pictures of a document, in a worker. */
export class PictureStore {
  readonly pictures = new Map<string, Picture>();
  /** Pictures that are not in the file, or cannot be read. */
  omitted = 0;
  readonly #contents = new Map<string, Buffer>();
  readonly #work: WorkFolder;

  constructor(work: WorkFolder) {
    this.#work = work;
  }

  /** The key of a picture in a `data:` URL; undefined for all other URLs, which are not fetched. */
  addDataUrl(src: string): string | undefined {
    const match = /^data:image\/[\w.+-]{1,40}(?:;[\w=-]{1,40}){0,4};base64,/i.exec(
      src.slice(0, 300),
    );
    const content = match ? Buffer.from(src.slice(match[0].length), "base64") : undefined;
    return this.add(`data-${this.#contents.size + 1}`, content);
  }

  /** Adds the picture `key` unless it is known. */
  add(key: string, content: Buffer | undefined): string | undefined {
    if (this.#contents.has(key)) return key;
    if (!content || content.length === 0 || this.#contents.size >= maxPictures) {
      this.omitted++;
      return undefined;
    }
    this.#contents.set(key, content);
    return key;
  }

  /** Reads the sizes of all pictures, and converts those of rare formats to PNG. */
  async load(): Promise<void> {
    for (const [key, content] of this.#contents) {
      const picture = await this.#read(content).catch(() => undefined);
      if (picture) this.pictures.set(key, picture);
      else this.omitted++;
    }
  }

  async #read(content: Buffer): Promise<Picture> {
    const file = this.#work.scratch("bin");
    await writeNew(file.path, content);
    const source = await openImage(file, this.#work.limits, { firstPage: true });
    const { width, height, metadata, orientation } = source;
    const kept = metadata.format in embeddable && (orientation === 1 || metadata.format === "gif");
    if (kept) {
      const extension = embeddable[metadata.format as keyof typeof embeddable]; // checked above
      return { content: await readRegular(file.path), extension, width, height };
    }
    const png = source.toSrgb().autoOrient().png();
    const { data, info } = await png.toBuffer({ resolveWithObject: true });
    return { content: data, extension: "png", width: info.width, height: info.height };
  }
}
