import type { MediaStream } from "./media-info.ts";

/** Hable's curve with a reference white of 100 cd/m². */
const hable =
  "zscale=transfer=linear:npl=100,format=gbrpf32le,zscale=primaries=bt709," +
  "tonemap=hable:desat=0,zscale=transfer=bt709:matrix=bt709:range=tv,format=yuv420p";

/** The filter that maps HDR to SDR in BT.709; none if the video is SDR. */
export function toneMapFilters(video: MediaStream): string[] {
  const { colorTransfer = "", colorSpace = "", colorPrimaries } = video;
  const isHdr = ["smpte2084", "arib-std-b67"].includes(colorTransfer);
  return isHdr && colorPrimaries === "bt2020" && colorSpace.startsWith("bt2020") ? [hable] : [];
}
