import type { Tags } from "#lib/engines/exiftool/exiftool.ts";
import { createTagLimiter } from "#lib/engines/exiftool/limit-tags.ts";

/** The parts of the result by exiftool's groups of tags, and whether names keep the group. */
const parts = [
  { part: "gps", groups: /^GPS$/ },
  // IFD1 describes the thumbnail.
  { part: "exif", groups: /^(IFD0|SubIFD\d*|ExifIFD|InteropIFD)$/ },
  { part: "iptc", groups: /^IPTC\d*$/ },
  { part: "xmp", groups: /^XMP(-|$)/ },
  { part: "icc", groups: /^ICC[-_]/ },
] as const;

type TagGroups = Record<(typeof parts)[number]["part"] | "other", Record<string, unknown>>;

/** Groups that exiftool derives or that describe the structure of the file. */
const structuralGroups = /^(File|Composite|IFD1)$/;

/** Tags of `File` that are content. */
const contentTags: ReadonlySet<string> = new Set(["File:Comment"]);

/**
 * The tags of an image by standard. `gps` also has `latitude`, `longitude` and `altitude`, in signed
 * degrees and meters. `other` has the tags of cameras and formats with their group, such as
 * `Canon:LensType`. A part without tags is empty. Long values and many tags are cut.
 */
export function groupTags(tags: Tags): TagGroups {
  const found: Record<string, [string, unknown][]> = {};
  for (const { part } of parts) found[part] = [];
  const other: [string, unknown][] = [];
  for (const [name, value] of tags) {
    const [group = "", tag = ""] = splitName(name);
    const known = parts.find(({ groups }) => groups.test(group));
    if (known) found[known.part]?.push([nameInPart(group, tag), value]);
    else if (!structuralGroups.test(group) || contentTags.has(name)) other.push([name, value]);
  }
  // The parts share one limit on their size.
  const limitTags = createTagLimiter();
  const limited = Object.entries(found).map(([part, list]) => [part, limitTags(list)] as const);
  // One entry for each of `parts`.
  const result = Object.fromEntries(limited) as Omit<TagGroups, "other">;
  return { ...result, gps: { ...readPosition(tags), ...result.gps }, other: limitTags(other) };
}

function splitName(name: string): [group: string, tag: string] {
  const colon = name.indexOf(":");
  return [name.slice(0, colon), name.slice(colon + 1)];
}

/** XMP has namespaces, which may have tags of the same name: `dc:Title`. */
function nameInPart(group: string, tag: string): string {
  return group.startsWith("XMP-") ? `${group.slice(4)}:${tag}` : tag;
}

/** The position that exiftool computes from all standards. */
function readPosition(tags: Tags): Record<string, number> {
  const names = {
    latitude: "Composite:GPSLatitude",
    longitude: "Composite:GPSLongitude",
    altitude: "Composite:GPSAltitude",
  };
  const position: Record<string, number> = {};
  for (const [key, name] of Object.entries(names)) {
    const value = tags.get(name);
    if (typeof value === "number") position[key] = value;
  }
  return position;
}
