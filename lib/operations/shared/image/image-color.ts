import {
  loadSharp,
  type NativeSpace,
  type SourceImage,
  translateVipsErrors,
} from "#lib/engines/image/open.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { parseColor, type Rgba } from "#lib/media/color.ts";

/** Whether the format of `source` has transparency in its color space. */
export function canBeTransparent({ metadata, space }: SourceImage): boolean {
  return metadata.format !== "jpeg" && space !== "cmyk";
}

const withColors: Partial<Record<NativeSpace, NativeSpace>> = { "b-w": "srgb", grey16: "rgb16" };

/** `source`, which is written as RGB if it is gray. Its profile is one of gray, so with a profile it stays gray. */
export function toColor(source: SourceImage): SourceImage {
  const space = source.metadata.hasProfile ? undefined : withColors[source.space];
  return space ? { ...source, space } : source;
}

/** Whether a gray image cannot show it. */
export function hasHue({ red, green, blue, alpha }: Rgba): boolean {
  return alpha > 0 && (red !== green || green !== blue);
}

/**
 * Converts `color`, a form of `parseColor`, to the image's own RGB color space: 0 to 255, with an
 * alpha of 1 if the image can have none. The default is transparent, or white.
 */
export async function toImageColor(
  source: SourceImage,
  color: string | undefined,
  work: WorkFolder,
): Promise<Rgba> {
  const { metadata, space } = source;
  const isOpaque = !canBeTransparent(source);
  const parsed = parseColor(color ?? (isOpaque ? "#ffffff" : "#ffffff00"));
  const alpha = isOpaque ? 1 : parsed.alpha;
  const { icc } = metadata;
  if (!icc || !(space === "srgb" || space === "rgb16")) return { ...parsed, alpha };
  const profile = work.scratch("icc");
  await writeNew(profile.path, icc);
  const sharp = await loadSharp();
  const { red: r, green: g, blue: b } = parsed;
  const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: { r, g, b } } });
  const converted = pixel.withIccProfile(profile.path).raw().toBuffer();
  const [red = 0, green = 0, blue = 0] = await translateVipsErrors(converted);
  return { red, green, blue, alpha };
}
