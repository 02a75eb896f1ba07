import { displayedSize, openImage } from "#lib/engines/image/open.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import type { PackageEdit } from "./package-edit.ts";
import { type Tag, tagText, templateError } from "./tags/tags.ts";

/** A picture that is in the package; its size is in EMU, of which a centimetre has 360,000. */
export interface Picture {
  readonly part: string;
  readonly width: number;
  readonly height: number;
}

export const emuPerInch = 914_400;
const emuPerMillimeter = 36_000;
const maxPictures = 500;
const maxMillimeters = 2000;

const notAPicture = "its value is not a picture: the data URI of an image in base64, or a URL";

const formats = { png: "image/png", jpeg: "image/jpeg", gif: "image/gif" } as const;

/** Adds the pictures of the data to a package, each once. */
export class PictureStore {
  /** URLs of pictures that were not given. They are left out of the package. */
  readonly missing = new Set<string>();
  readonly #fetched: ReadonlyMap<string, WorkFile>;
  readonly #edit: PackageEdit;
  readonly #work: WorkFolder;
  /** The folder of the package: `word`, `ppt` or `xl`. */
  readonly #folder: string;
  readonly #known = new Map<string, Picture>();

  /** The constructor takes the files of URLs as `fetched`. */
  constructor(
    edit: PackageEdit,
    folder: string,
    work: WorkFolder,
    fetched: ReadonlyMap<string, WorkFile>,
  ) {
    this.#fetched = fetched;
    this.#edit = edit;
    this.#folder = folder;
    this.#work = work;
  }

  /**
   * The picture of a tag; undefined if its value is empty, or a URL without a file. Its value is a data
   * URI or URL, or an object with one as `image`, and `width` or `height` in millimeters. Throws
   * `JobError` (`corrupt`, and what reading an image throws).
   */
  async add(value: unknown, tag: Tag, place: string): Promise<Picture | undefined> {
    if (value === null || value === "" || value === false) return undefined;
    const fail = (reason: string) => templateError(place, tagText(tag), reason);
    const isObject = typeof value === "object" && !Array.isArray(value);
    const own = (name: string) =>
      isObject && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    const uri = isObject ? own("image") : value;
    if (typeof uri !== "string") throw fail(notAPicture);
    let natural = this.#known.get(uri);
    if (!natural) {
      if (this.#known.size + this.missing.size >= maxPictures) {
        throw new JobError("too_complex", `The data has more than ${maxPictures} pictures.`);
      }
      const file = this.#fetched.get(uri) ?? (await this.#writeDataUri(uri, fail));
      if (!file) {
        this.missing.add(uri);
        return undefined;
      }
      natural = await this.#store(file, fail);
      this.#known.set(uri, natural);
    }
    const [width, height] = ["width", "height"].map((name) => {
      const length = own(name);
      if (length === undefined || length === null) return undefined;
      if (typeof length === "number" && length > 0 && length <= maxMillimeters) {
        return length * emuPerMillimeter;
      }
      throw fail(`its ${name} is not a number of millimeters up to ${maxMillimeters}`);
    });
    const ratio = natural.width / natural.height;
    if (width) return { ...natural, width, height: height ?? width / ratio };
    return height ? { ...natural, height, width: height * ratio } : natural;
  }

  /** Writes a picture of a data URI. Returns undefined for a URL that must be fetched. */
  async #writeDataUri(
    uri: string,
    fail: (reason: string) => JobError,
  ): Promise<WorkFile | undefined> {
    const match = /^data:image\/[\w.+-]+;base64,/i.exec(uri.slice(0, 100));
    if (!match) {
      if (/^https?:\/\//i.test(uri)) return undefined;
      throw fail(notAPicture);
    }
    const file = this.#work.scratch("img");
    await writeNew(file.path, Buffer.from(uri.slice(match[0].length), "base64"));
    return file;
  }

  async #store(file: WorkFile, fail: (reason: string) => JobError): Promise<Picture> {
    const source = await openImage(file, this.#work.limits, { firstPage: true }).catch((error) => {
      throw error instanceof JobError && error.code === "corrupt"
        ? fail("its value is not a picture that can be read")
        : error;
    });
    const { format, density } = source.metadata;
    const size = displayedSize(source);
    const number = this.#known.size + 1;
    const isKept =
      (format === "png" || format === "jpeg" || format === "gif") && source.orientation === 1;
    const extension = isKept ? format : "png";
    const part = `${this.#folder}/media/template-picture-${number}.${extension}`;
    const content = isKept
      ? await readRegular(file.path)
      : await source.toSrgb().autoOrient().png().toBuffer();
    this.#edit.add(part, content);
    await this.#edit.declare({ extension }, formats[extension]);
    // Cameras write 72 pixels per inch without meaning it.
    const scale = emuPerInch / (density && density > 72 && density <= 4800 ? density : 96);
    return { part, width: size.width * scale, height: size.height * scale };
  }
}

/** The size within a box, with the same proportions. */
export function fitWithin(
  { width, height }: { readonly width: number; readonly height: number },
  box: { readonly width: number; readonly height?: number },
): { width: number; height: number } {
  const scale = Math.min(1, box.width / width, (box.height ?? Infinity) / height);
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}
