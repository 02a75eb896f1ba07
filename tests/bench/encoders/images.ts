import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { computeSsim, toPlanes } from "#lib/operations/shared/image/ssim.ts";
import { projectFolder } from "#lib/setup/node24.mjs";
import type { EncoderCase } from "./interpolate.ts";

const photo = join(projectFolder, "public", "samples", "inputs", "photo.jpg");
const ssim = 0.98;

type Encode = (image: Sharp, quality: number) => Sharp;

interface Setting {
  readonly name: string;
  readonly isUsed?: boolean;
  readonly encode: Encode;
}

const jpeg: readonly Setting[] = [
  { name: "libjpeg-turbo", isUsed: true, encode: (image, quality) => image.jpeg({ quality }) },
  { name: "progressive", encode: (image, quality) => image.jpeg({ quality, progressive: true }) },
  { name: "mozjpeg", encode: (image, quality) => image.jpeg({ quality, mozjpeg: true }) },
];

const webp = [2, 4, 6].map(
  (effort): Setting => ({
    name: `effort ${effort}`,
    isUsed: effort === 4,
    encode: (image, quality) => image.webp({ quality, effort }),
  }),
);

const avif = [1, 2, 3, 4, 5].map(
  (effort): Setting => ({
    name: `effort ${effort}`,
    isUsed: effort === 3,
    encode: (image, quality) => image.avif({ quality, effort }),
  }),
);

/** A photo of 1200 pixels, whose own compression the reduction hides. */
export async function imageCases(): Promise<EncoderCase[]> {
  const { data, info } = await sharp(photo)
    .resize(1200)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const original = toPlanes({ data, width, height });
  const toCase =
    (codec: string, qualities: readonly number[]) =>
    ({ name, isUsed = false, encode }: Setting): EncoderCase => ({
      codec,
      setting: name,
      isUsed,
      ssim,
      qualities,
      encode: async (quality) => {
        const started = process.cpuUsage();
        const image = sharp(data, { raw: { width, height, channels: 3 } });
        const bytes = await encode(image, quality).toBuffer();
        const { user, system } = process.cpuUsage(started);
        const decoded = await sharp(bytes).removeAlpha().raw().toBuffer();
        const likeness = computeSsim(original, toPlanes({ data: decoded, width, height }));
        return { bytes: bytes.length, cpu: (user + system) / 1e6, ssim: likeness };
      },
    });
  return [
    ...jpeg.map(toCase("JPEG", [30, 50, 70, 88])),
    ...webp.map(toCase("WebP", [30, 50, 70, 88])),
    ...avif.map(toCase("AVIF", [20, 35, 50, 65])),
  ];
}
