import { readTags, type Tags } from "#lib/engines/exiftool/exiftool.ts";
import { createTagLimiter } from "#lib/engines/exiftool/limit-tags.ts";
import { toStillAvif } from "#lib/engines/import/avif-still.ts";
import { readImageInfo } from "#lib/engines/worker/image/image-info.ts";
import {
  attempt,
  type Inspection,
  type Properties,
  unreadableProperties,
  withoutUndefined,
} from "./report.ts";

/** exiftool's groups of EXIF tags, without IFD1, which describes the thumbnail. */
const exifGroups = /^(IFD0|SubIFD\d*|ExifIFD|GPS|InteropIFD):/;
/** Groups that exiftool derives or that describe the file's structure. A comment is content. */
const derivedGroups = /^(File:(?!Comment$)|Composite:|IFD1:)/;

/** Types that the enabled loaders of libvips do not read; the tags have their properties. */
const unreadTypes: ReadonlySet<string> = new Set(["bmp", "jxl"]);

/** Dimensions, pixel format, EXIF and all other tags of an image. */
export async function inspectImage({ input, work, signal }: Inspection): Promise<Properties> {
  const readInfo = async () => {
    const file = input.type.id === "avif" ? await toStillAvif(input, work) : input;
    return readImageInfo(file, work, signal);
  };
  const [tags, info] = await Promise.all([
    attempt(readTags(input, signal)),
    unreadTypes.has(input.type.id) ? undefined : attempt(readInfo()),
  ]);
  const limitTags = createTagLimiter();
  const all = [...(tags.value ?? new Map())];
  const exif = all.flatMap(([name, value]) =>
    exifGroups.test(name) ? [[name.slice(name.indexOf(":") + 1), value] as const] : [],
  );
  const others = all.filter(([name]) => !exifGroups.test(name) && !derivedGroups.test(name));
  const image = info?.value;
  return withoutUndefined({
    format: image?.format ?? input.type.id,
    width: image?.width ?? findNumber(tags.value, "ImageWidth"),
    height: image?.height ?? findNumber(tags.value, "ImageHeight"),
    space: image?.space,
    channels: image?.channels,
    depth: image?.depth,
    has_alpha: image?.hasAlpha,
    has_profile: image?.hasProfile,
    orientation: image ? (image.orientation ?? 1) : undefined,
    pages: image?.pages,
    delay: image?.delay?.slice(0, 1000),
    loop: image?.loop,
    density: image?.density,
    ...unreadableProperties(info?.problem),
    exif: limitTags(exif),
    tags: limitTags(others),
  });
}

function findNumber(tags: Tags | undefined, name: string): number | undefined {
  const found = [...(tags ?? [])].find(([full]) => full.endsWith(`:${name}`))?.[1];
  return typeof found === "number" && found > 0 ? found : undefined;
}
