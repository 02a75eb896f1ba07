import type { MediaStream } from "./media-info.ts";

/** Hable's curve with a reference white of 100 cd/m². */
const hable =
  "zscale=transfer=linear:npl=100,format=gbrpf32le,zscale=primaries=bt709," +
  "tonemap=hable:desat=0,zscale=transfer=bt709:matrix=bt709:range=tv,format=yuv420p";

/** HDR is in BT.2020 even if the file does not say so. */
const asWide = "setparams=color_primaries=bt2020:colorspace=bt2020nc";

/** The filters that map HDR to SDR in BT.709; none if the video is SDR. */
export function toneMapFilters(video: MediaStream): string[] {
  const { colorTransfer = "", colorSpace = "unknown", colorPrimaries = "unknown" } = video;
  const isHdr = ["smpte2084", "arib-std-b67"].includes(colorTransfer);
  if (!isHdr) return [];
  const tags = [colorPrimaries, colorSpace];
  if (tags.every((tag) => tag.startsWith("bt2020"))) return [hable];
  return tags.every((tag) => /^(bt2020|unknown$|unspecified$)/.test(tag)) ? [asWide, hable] : [];
}
