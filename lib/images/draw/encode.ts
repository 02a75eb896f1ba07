import { type Sharp, translateVipsErrors } from "#lib/engines/image/open.ts";
import type { ImagePlan, PictureFormat } from "../plan/plan.ts";
import { encodeBmp, encodeIco } from "./bitmaps.ts";
import { readSamples } from "./pixels/samples.ts";

/** Encodes pictures, in a worker. */

/** imgproxy's qualities where a URL names none. */
const defaultQualities: Readonly<Partial<Record<PictureFormat, number>>> = {
  webp: 79,
  avif: 63,
  jxl: 77,
};

const defaultQuality = 80;

/** Formats whose size depends on a quality. */
const lossyFormats: readonly PictureFormat[] = ["jpeg", "webp", "avif"];

export function qualityOf(plan: ImagePlan, format: PictureFormat): number {
  return plan.quality || plan.formatQuality[format] || (defaultQualities[format] ?? defaultQuality);
}

function withEncoder(image: Sharp, format: Exclude<PictureFormat, "bmp">, quality: number): Sharp {
  switch (format) {
    case "jpeg":
      return image.jpeg({ quality, chromaSubsampling: quality >= 90 ? "4:4:4" : "4:2:0" });
    case "png":
    case "ico":
      return image.png();
    case "webp":
      return image.webp({ quality });
    case "avif":
      return image.avif({
        quality,
        effort: 1,
        chromaSubsampling: quality >= 90 ? "4:4:4" : "4:2:0",
      });
    case "gif":
      return image.gif();
    case "tiff":
      return image.tiff({ quality });
    case "jxl":
    case "heic":
      // An engine encodes it.
      return image.png({ compressionLevel: 0 });
  }
}

/** The bytes of a picture. With `maxBytes`, a lossy one gets a lower quality until it is small enough. */
export async function encodePicture(
  image: Sharp,
  format: PictureFormat,
  plan: ImagePlan,
): Promise<{ data: Buffer; width: number; height: number; quality: number }> {
  if (format === "bmp") {
    const samples = await readSamples(image);
    const { width, height } = samples;
    return { data: encodeBmp(samples), width, height, quality: defaultQuality };
  }
  const limit = lossyFormats.includes(format) ? plan.maxBytes : 0;
  let quality = qualityOf(plan, format);
  while (true) {
    const encoded = withEncoder(image.clone(), format, quality);
    const { data, info } = await translateVipsErrors(encoded.toBuffer({ resolveWithObject: true }));
    if (limit === 0 || data.length <= limit || quality <= 10) {
      const { width, pageHeight: height = info.height } = info;
      const file = format === "ico" ? encodeIco(data, width, height) : data;
      return { data: file, width, height, quality };
    }
    const excess = data.length / limit;
    const factor = excess > 3 ? 0.25 : excess > 1.5 ? 0.5 : 0.75;
    quality = Math.max(1, Math.min(quality - 1, Math.round(quality * factor)));
  }
}
