import { readTags, type Tags } from "#lib/engines/exiftool/exiftool.ts";
import { readImageInfo } from "#lib/engines/worker/image-info.ts";
import {
  attempt,
  createTagKeeper,
  type Figures,
  type Inspection,
  known,
  unreadable,
} from "./report.ts";

/** Groups of EXIF tags, as exiftool calls them; not IFD1, which describes the thumbnail. */
const exifGroups = /^(IFD0|SubIFD\d*|ExifIFD|GPS|InteropIFD):/;
/** What exiftool works out or says of the file's structure; a comment is somebody's words. */
const derivedGroups = /^(File:(?!Comment$)|Composite:|IFD1:)/;

/** `width height format space channels depth has_alpha orientation pages exif`, and all other tags. */
export async function inspectImage({ input, work, signal }: Inspection): Promise<Figures> {
  const [tags, info] = await Promise.all([
    attempt(readTags(input, signal)),
    // libvips as it is used here has no reader of BMP; the tags tell what there is to know.
    input.type.id === "bmp" ? undefined : attempt(readImageInfo(input, work, signal)),
  ]);
  const keep = createTagKeeper();
  const all = [...(tags.value ?? new Map())];
  const exif = all.flatMap(([name, value]) =>
    exifGroups.test(name) ? [[name.slice(name.indexOf(":") + 1), value] as const] : [],
  );
  const others = all.filter(([name]) => !exifGroups.test(name) && !derivedGroups.test(name));
  const image = info?.value;
  return known({
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
    ...unreadable(info?.problem),
    exif: keep(exif),
    tags: keep(others),
  });
}

function findNumber(tags: Tags | undefined, name: string): number | undefined {
  const found = [...(tags ?? [])].find(([full]) => full.endsWith(`:${name}`))?.[1];
  return typeof found === "number" && found > 0 ? found : undefined;
}
