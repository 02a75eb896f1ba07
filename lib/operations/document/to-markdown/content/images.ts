import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { writeNew } from "#lib/files/regular-files.ts";

/** An image of the document. `suffix` is that of its output file. */
export interface ExtractedImage extends WorkFile {
  readonly suffix: string;
}

/** The extensions of images that are written as they are, by their first bytes. */
const signatures: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG/, "png"],
  [/^\xff\xd8\xff/, "jpg"],
  [/^GIF8/, "gif"],
  [/^RIFF[\s\S]{4}WEBP/, "webp"],
];

/** No document for people has more; the outputs of a job are limited, too. */
const maxImages = 1000;

/** Collects the images of a document as outputs, and names them for the Markdown. */
export class ImageCollector {
  readonly images: ExtractedImage[] = [];
  readonly #work: WorkFolder;
  readonly #stem: string | undefined;
  /** Names by the key of an image, which may be shown many times. */
  readonly #names = new Map<string, string | undefined>();

  /** `stem` begins the names of the output files; undefined if images are left out. */
  constructor(work: WorkFolder, stem: string | undefined) {
    this.#work = work;
    this.#stem = stem;
  }

  get isEnabled(): boolean {
    return this.#stem !== undefined && this.images.length < maxImages;
  }

  /**
   * The name of the output file of an image; undefined if images are left out, or if it is not a
   * raster image of the web. `key` identifies it in the document.
   */
  async add(key: string, read: () => Promise<Buffer | undefined>): Promise<string | undefined> {
    if (!this.isEnabled) return undefined;
    if (!this.#names.has(key)) this.#names.set(key, await this.#write(await read()));
    return this.#names.get(key);
  }

  async #write(bytes: Buffer | undefined): Promise<string | undefined> {
    const start = bytes?.toString("latin1", 0, 12) ?? "";
    const extension = signatures.find(([pattern]) => pattern.test(start))?.[1];
    if (!bytes || !extension) return undefined;
    const suffix = `-image-${this.images.length + 1}`;
    const file = this.#work.output(extension);
    await writeNew(file.path, bytes);
    this.images.push({ ...file, suffix });
    return `${this.#stem}${suffix}.${extension}`;
  }
}
