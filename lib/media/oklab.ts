/** Lightness, green to red, blue to yellow. */
export type Oklab = readonly [lightness: number, a: number, b: number];

/** The color 0xRRGGBB of sRGB in Oklab, where distances are as large as they look (Ottosson, 2020). */
export function toOklab(color: number): Oklab {
  const red = toLinear((color >> 16) & 0xff);
  const green = toLinear((color >> 8) & 0xff);
  const blue = toLinear(color & 0xff);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
}

/** The transfer function of sRGB (IEC 61966-2-1). */
function toLinear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
