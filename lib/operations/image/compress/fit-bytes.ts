import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { Encoder, type KeptMetadata, type Level } from "./encoder.ts";
import type { WrittenFormat } from "./levels.ts";
import { findFittingLevel, type Search } from "./search.ts";

/** Quality that an image keeps when it is made smaller in width and height. */
const scaledQuality = 50;

const maxScalings = 12;

/**
 * The best file of at most `maxBytes`. Metadata that would need a large share of them is left out. If
 * no quality fits, width and height are reduced. Undefined if not even one pixel fits.
 */
export async function fitBytes(
  search: Search,
  format: WrittenFormat,
  maxBytes: number,
  work: WorkFolder,
): Promise<{ encoder: Encoder; level: Level } | undefined> {
  const { source } = search.whole;
  const keeps = chooseMetadata(source.metadata, maxBytes);
  const reduce = (scale: number) => new Encoder(source, format, work, { scale, keeps });
  let encoder = keeps === "all" ? search.whole : reduce(1);
  const isSampled = keeps === "all" && search.sample !== search.whole;
  const first = isSampled ? search : { whole: encoder, sample: encoder };
  const level = await findLevel(first, maxBytes);
  if (level !== undefined) return { encoder, level };
  let scale = 1;
  for (let scaling = 0; scaling < maxScalings; scaling++) {
    const { isLosslessOnly, ofQuality } = encoder.levels;
    const { bytes } = await encoder.encode(isLosslessOnly ? "lossless" : ofQuality(scaledQuality));
    scale *= Math.min(0.9, Math.max(0.05, Math.sqrt(maxBytes / bytes)));
    encoder = reduce(scale);
    const fitting = await findLevel({ whole: encoder, sample: encoder }, maxBytes);
    if (fitting !== undefined) return { encoder, level: fitting };
  }
  return undefined;
}

/** A TIFF that stays lossless has no other level. */
async function findLevel(search: Search, maxBytes: number): Promise<Level | undefined> {
  const { whole } = search;
  if (!whole.levels.isLosslessOnly) return findFittingLevel(search, maxBytes);
  return (await whole.encode("lossless")).bytes <= maxBytes ? "lossless" : undefined;
}

function chooseMetadata(
  { exif, xmp, iptc, icc }: { exif?: Buffer; xmp?: Buffer; iptc?: Buffer; icc?: Buffer },
  maxBytes: number,
): KeptMetadata {
  const tags = (exif?.length ?? 0) + (xmp?.length ?? 0) + (iptc?.length ?? 0);
  const profile = icc?.length ?? 0;
  if (profile > maxBytes / 8) return "none";
  return tags > maxBytes / 8 ? "profile" : "all";
}
