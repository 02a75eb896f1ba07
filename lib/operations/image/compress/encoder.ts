import { preparePixels } from "#lib/engines/image/formats/convert.ts";
import {
  openImage,
  type Sharp,
  type SourceImage,
  translateVipsErrors,
} from "#lib/engines/image/open.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { removeExifPrefix } from "#lib/formats/webp/webp-chunks.ts";
import { type ComparedPlanes, computeSsim, toPlanes } from "../../shared/image/ssim.ts";
import { type Levels, levelsOf, type WrittenFormat } from "./levels.ts";

export interface Encoded {
  readonly file: WorkFile;
  readonly bytes: number;
  /** The width of one frame in pixels. */
  readonly width: number;
  readonly height: number;
}

export type Level = number | "lossless";

/** What is written besides the pixels: all metadata, the ICC profile only, or nothing. */
export type KeptMetadata = "all" | "profile" | "none";

export interface Reduction {
  /** The factor of width and height; 1 keeps them. */
  readonly scale: number;
  readonly keeps: KeptMetadata;
}

const unreduced: Reduction = { scale: 1, keeps: "all" };

/** sharp's internal flags of the metadata that it keeps. */
const keptFlags = { profile: 0b1000, none: 0 } as const;

/** Encodes one image in one format at several levels, and compares the results with it. */
export class Encoder {
  readonly source: SourceImage;
  readonly levels: Levels;
  readonly #format: WrittenFormat;
  readonly #reduction: Reduction;
  readonly #work: WorkFolder;
  readonly #encoded = new Map<Level, Promise<Encoded>>();
  readonly #similarity = new Map<Level, Promise<number>>();
  #reference: Promise<ComparedPlanes> | undefined;

  constructor(
    source: SourceImage,
    format: WrittenFormat,
    work: WorkFolder,
    reduction: Reduction = unreduced,
  ) {
    this.source = source;
    this.levels = levelsOf(format, source);
    this.#format = format;
    this.#reduction = reduction;
    this.#work = work;
  }

  /** The file of a level; it is encoded once. Rejects with `JobError` if the image is damaged. */
  encode(level: Level): Promise<Encoded> {
    return remember(this.#encoded, level, () => this.#encode(level));
  }

  /** The SSIM of a level to the image, from -1 to 1. */
  compare(level: Level): Promise<number> {
    return remember(this.#similarity, level, async () => {
      const { file } = await this.encode(level);
      this.#reference ??= this.#readPixels(this.source, true);
      return computeSsim(
        await this.#reference,
        await this.#readPixels(await openImage(file), false),
      );
    });
  }

  async #encode(level: Level): Promise<Encoded> {
    const { encode, lossless = [] } = this.levels;
    const encoders =
      level === "lossless" ? lossless : [(pipeline: Sharp) => encode(pipeline, level)];
    const written: Encoded[] = [];
    for (const encoder of encoders) written.push(await this.#write(encoder));
    const [smallest] = written.sort((left, right) => left.bytes - right.bytes);
    if (!smallest) throw new Error("the format cannot be lossless");
    return smallest;
  }

  async #write(encoder: (pipeline: Sharp) => Sharp): Promise<Encoded> {
    const { source } = this;
    const { keeps } = this.#reduction;
    const format = this.#format;
    const prepared = preparePixels(source, {
      format,
      background: "#ffffff",
      appliesProfile: keeps === "none",
    });
    if (keeps !== "all") {
      // sharp's public methods can only add to what is kept.
      const { options } = prepared as Sharp & { options: { keepMetadata: number } };
      options.keepMetadata &= keptFlags[keeps];
    }
    const file = this.#work.scratch(format === "jpeg" ? "jpg" : format);
    const encoded = encoder(this.#resize(prepared));
    const info = await translateVipsErrors(encoded.toFile(file.path));
    if (format === "webp" && source.metadata.exif) await removeExifPrefix(file.path);
    const height = source.pages > 1 ? (info.pageHeight ?? info.height) : info.height;
    return { file, bytes: info.size, width: info.width, height };
  }

  #resize(pipeline: Sharp): Sharp {
    const { scale } = this.#reduction;
    if (scale === 1) return pipeline;
    const { width, height, orientation, pages } = this.source;
    const isTurned = orientation >= 5 && pages === 1;
    const [upright, side] = isTurned ? [height, width] : [width, height];
    const scaled = (length: number) => Math.max(1, Math.round(length * scale));
    return pipeline.resize({ width: scaled(upright), height: scaled(side), fit: "fill" });
  }

  /** Reads the pixels as 8-bit sRGB without alpha, upright. */
  async #readPixels(image: SourceImage, isOriginal: boolean): Promise<ComparedPlanes> {
    const srgb = image.pages === 1 ? image.toSrgb().autoOrient() : image.toSrgb();
    const sized = isOriginal ? this.#resize(srgb) : srgb;
    // JPEG gets a white background; elsewhere, gray shows changes of transparent pixels best.
    const background = this.#format === "jpeg" ? "#ffffff" : "#808080";
    const opaque = image.metadata.hasAlpha ? sized.flatten({ background }) : sized;
    const raw = opaque.raw().toBuffer({ resolveWithObject: true });
    const { data, info } = await translateVipsErrors(raw);
    return toPlanes({ data, width: info.width, height: info.height });
  }
}

function remember<Value>(
  known: Map<Level, Promise<Value>>,
  level: Level,
  compute: () => Promise<Value>,
): Promise<Value> {
  const value = known.get(level) ?? compute();
  known.set(level, value);
  return value;
}
