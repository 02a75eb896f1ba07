import type { MediaStream } from "#lib/engines/ffmpeg/media-info.ts";
import { toneMapFilters } from "#lib/engines/ffmpeg/tone-map.ts";
import { chooseColorMatrix } from "#lib/engines/ffmpeg/video-frame.ts";

/** The colors of a YUV video in limited range, by names that ffprobe and the filters of ffmpeg share. */
export interface Colors {
  readonly matrix: string;
  readonly primaries: string;
  readonly transfer: string;
}

/** What is usual with a matrix, for a video that declares no more. */
const usualColors: Readonly<Record<string, Omit<Colors, "matrix">>> = {
  bt709: { primaries: "bt709", transfer: "bt709" },
  smpte170m: { primaries: "smpte170m", transfer: "smpte170m" },
  bt470bg: { primaries: "bt470bg", transfer: "smpte170m" },
  fcc: { primaries: "bt470m", transfer: "smpte170m" },
  bt2020nc: { primaries: "bt2020", transfer: "bt709" },
};
const hdtv = { matrix: "bt709", primaries: "bt709", transfer: "bt709" } as const;

/** The values that can be converted. HDR is mapped to SDR before. */
const knownPrimaries = /^(bt709|bt470m|bt470bg|smpte170m|bt2020|smpte43[12])$/;
const knownTransfers = /^(bt709|bt470m|bt470bg|smpte170m|bt2020-1[02]|iec61966-2-1)$/;

/**
 * The colors of `video` after the filters of `toneMapFilters`. Those that it does not declare depend on its
 * size, as in players.
 */
export function colorsOf(video: MediaStream): Colors {
  if (!video.pixelFormat?.startsWith("yuv") || toneMapFilters(video).length > 0) return hdtv;
  const declared = chooseColorMatrix(video, video.height ?? 0).replace(/^bt2020$/, "bt2020nc");
  const matrix = declared in usualColors ? declared : "smpte170m";
  const { primaries, transfer } = usualColors[matrix] ?? hdtv;
  const { colorPrimaries = "", colorTransfer = "" } = video;
  return {
    matrix,
    primaries: knownPrimaries.test(colorPrimaries) ? colorPrimaries : primaries,
    transfer: knownTransfers.test(colorTransfer) ? colorTransfer : transfer,
  };
}

/** Filters that give frames of `video`, after its tone mapping, the colors `target` in 4:2:0 with 8 bits. */
export function convertColors(video: MediaStream, target: Colors): string[] {
  const { matrix, primaries, transfer } = colorsOf(video);
  const isYuv = video.pixelFormat?.startsWith("yuv") ?? false;
  const convert = isYuv
    ? `zscale=min=${matrix}:pin=${primaries}:tin=${transfer}:` +
      `m=${target.matrix}:p=${target.primaries}:t=${target.transfer}:r=limited`
    : // RGB has no matrix, and the same primaries in practice.
      `scale=out_color_matrix=${target.matrix.replace(/^bt470bg$/, "bt470").replace(/nc$/, "")}:out_range=tv`;
  return [convert, "format=yuv420p", declareAs(target)];
}

/** The filter that declares the colors of frames. */
export function declareAs({ matrix, primaries, transfer }: Colors): string {
  return `setparams=range=tv:colorspace=${matrix}:color_primaries=${primaries}:color_trc=${transfer}`;
}
