import { type SourceImage, translateVipsErrors } from "#lib/engines/image/open.ts";
import { type Oklab, toOklab } from "#lib/media/oklab.ts";

/** The main colors of an image. */

export interface PaletteColor {
  /** The color as `#rrggbb` in sRGB. */
  readonly hex: string;
  /** The share of the visible pixels, from 0 to 1; all colors together have 1. */
  readonly share: number;
}

/** Colors are counted in an image of at most this width and height. */
const maxSide = 400;

/** Pixels below this alpha do not count. */
const minAlpha = 32;

const maxIterations = 30;

/** A color that has this share of its group stands for it, so that flat colors are exact. */
const exactShare = 0.25;

interface Bin {
  readonly lab: Oklab;
  /** Pixels by their exact color, 0xRRGGBB. */
  readonly colors: Map<number, number>;
  weight: number;
}

/**
 * Extracts at most `count` colors of the first frame of `source`, the most frequent first: fewer if
 * the image has fewer, none if it is transparent. The result is the same at every call. Throws
 * `JobError`.
 */
export async function extractPalette(source: SourceImage, count: number): Promise<PaletteColor[]> {
  const bins = await countColors(source);
  const total = bins.reduce((sum, { weight }) => sum + weight, 0);
  const groups = groupBins(bins, count).filter((group) => group.length > 0);
  const colors = groups.map((group) => {
    const weight = group.reduce((sum, bin) => sum + bin.weight, 0);
    return { hex: `#${representColor(group, weight)}`, share: weight / total };
  });
  return colors
    .sort((left, right) => right.share - left.share || (left.hex < right.hex ? -1 : 1))
    .map(({ hex, share }) => ({ hex, share: Math.round(share * 10_000) / 10_000 }));
}

/** The visible pixels, by the upper 5 bits of each channel. */
async function countColors(source: SourceImage): Promise<Bin[]> {
  const pixels = source
    .toSrgb()
    .resize({
      width: maxSide,
      height: maxSide,
      fit: "inside",
      // Other kernels mix colors at edges.
      kernel: "nearest",
      withoutEnlargement: true,
      fastShrinkOnLoad: false,
    })
    .ensureAlpha()
    .raw()
    .toBuffer();
  const data = await translateVipsErrors(pixels);
  const bins = new Map<number, Bin>();
  for (let offset = 0; offset + 3 < data.length; offset += 4) {
    if ((data[offset + 3] ?? 0) < minAlpha) continue;
    const color = data.readUIntBE(offset, 3);
    const key = color & 0xf8f8f8;
    const bin = bins.get(key) ?? { lab: toOklab(key | 0x040404), colors: new Map(), weight: 0 };
    bin.weight++;
    bin.colors.set(color, (bin.colors.get(color) ?? 0) + 1);
    bins.set(key, bin);
  }
  return [...bins.values()];
}

/** Groups of similar colors: k-means in Oklab, from starting points that are far from each other. */
function groupBins(bins: readonly Bin[], count: number): Bin[][] {
  let centers = chooseStarts(bins, count);
  let groups: Bin[][] = [];
  for (let iteration = 0; iteration < maxIterations; iteration++) {
    groups = centers.map(() => []);
    for (const bin of bins) groups[nearest(centers, bin.lab)]?.push(bin);
    const moved = centers.map((center, index) => meanOf(groups[index] ?? []) ?? center);
    const shift = moved.reduce((sum, lab, i) => sum + distance(lab, centers[i] ?? lab), 0);
    centers = moved;
    if (shift < 1e-9) break;
  }
  return groups;
}

/** The most frequent color, then always the one that is frequent and far from all before. */
function chooseStarts(bins: readonly Bin[], count: number): Oklab[] {
  const starts: Oklab[] = [];
  const distances = bins.map(() => 1);
  while (starts.length < count) {
    let best: Bin | undefined;
    let bestScore = 1e-9;
    for (const [index, bin] of bins.entries()) {
      const score = (distances[index] ?? 0) * bin.weight;
      if (score > bestScore) [best, bestScore] = [bin, score];
    }
    if (!best) break;
    starts.push(best.lab);
    for (const [index, { lab }] of bins.entries()) {
      distances[index] = Math.min(distances[index] ?? 0, distance(lab, best.lab));
    }
  }
  return starts;
}

/** The squared distance of two colors. */
function distance(left: Oklab, right: Oklab): number {
  return (left[0] - right[0]) ** 2 + (left[1] - right[1]) ** 2 + (left[2] - right[2]) ** 2;
}

function nearest(centers: readonly Oklab[], lab: Oklab): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, center] of centers.entries()) {
    const current = distance(center, lab);
    if (current < least) [best, least] = [index, current];
  }
  return best;
}

function meanOf(group: readonly Bin[]): Oklab | undefined {
  const weight = group.reduce((sum, bin) => sum + bin.weight, 0);
  if (weight === 0) return undefined;
  const mean = (axis: 0 | 1 | 2) =>
    group.reduce((sum, bin) => sum + bin.lab[axis] * bin.weight, 0) / weight;
  return [mean(0), mean(1), mean(2)];
}

/**
 * The color of a group in six hex digits: the most frequent one if it is frequent enough, else the
 * mean.
 */
function representColor(group: readonly Bin[], weight: number): string {
  let frequent = 0;
  let most = 0;
  const sums = [0, 0, 0];
  for (const { colors } of group) {
    for (const [color, pixels] of colors) {
      if (pixels > most) [frequent, most] = [color, pixels];
      for (const [index, shift] of [16, 8, 0].entries()) {
        sums[index] = (sums[index] ?? 0) + ((color >> shift) & 0xff) * pixels;
      }
    }
  }
  const [red = 0, green = 0, blue = 0] = sums.map((sum) => Math.round(sum / weight));
  const color = most >= exactShare * weight ? frequent : (red << 16) | (green << 8) | blue;
  return color.toString(16).padStart(6, "0");
}
