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
  // Its primaries are those of SMPTE 170M, its transfer is nearly that of BT.709, and zscale has none for it.
  smpte240m: { primaries: "smpte170m", transfer: "bt709" },
  bt2020nc: { primaries: "bt2020", transfer: "bt709" },
};
/** Matrices by number (ISO/IEC 23091-2) that have another name in zscale. */
const zscaleMatrices: Readonly<Record<string, string>> = { smpte240m: "7" };

const hdtv = { matrix: "bt709", primaries: "bt709", transfer: "bt709" } as const;

/** The values that can be converted. HDR is mapped to SDR before. */
const knownPrimaries = /^(bt709|bt470m|bt470bg|smpte170m|bt2020|smpte43[12])$/;
const knownTransfers = /^(bt709|bt470m|bt470bg|smpte170m|bt2020-1[02]|iec61966-2-1)$/;

/** Formats without a matrix. Shades of gray have none, either: they are in full range, like RGB. */
const withoutMatrix = /^(0?rgb|0?bgr|gbr|argb|abgr|x2rgb|x2bgr|pal8|xyz|gray|ya|mono)/;

/** zscale reads no packed format and no 4:1:1 of every size, so that frames get the most similar of these. */
const readable = "format=yuv420p|yuv422p|yuv444p|yuv420p10|yuv422p10|yuv444p10";

function isYuv({ pixelFormat = "rgb" }: MediaStream): boolean {
  return !withoutMatrix.test(pixelFormat);
}

/**
 * The colors of `video` after the filters of `toneMapFilters`. Those that it does not declare depend on its
 * size, as in players.
 */
export function colorsOf(video: MediaStream): Colors {
  if (!isYuv(video) || toneMapFilters(video).length > 0) return hdtv;
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
  return [...convert(video, target), "format=yuv420p", declareAs(target)];
}

function convert(video: MediaStream, target: Colors): string[] {
  if (!isYuv(video)) {
    // RGB has no matrix, and the same primaries in practice.
    const matrix = target.matrix.replace(/^bt470bg$/, "bt470").replace(/nc$/, "");
    return [`scale=out_color_matrix=${matrix}:out_range=tv`];
  }
  const { matrix, primaries, transfer } = colorsOf(video);
  const isLimited = video.colorRange !== "pc" && !video.pixelFormat?.startsWith("yuvj");
  const isSame =
    matrix === target.matrix && primaries === target.primaries && transfer === target.transfer;
  if (isSame && (isLimited || toneMapFilters(video).length > 0)) return [];
  const [from, to] = [matrix, target.matrix].map((name) => zscaleMatrices[name] ?? name);
  return [
    readable,
    `zscale=min=${from}:pin=${primaries}:tin=${transfer}:` +
      `m=${to}:p=${target.primaries}:t=${target.transfer}:r=limited`,
  ];
}

/** The filter that declares the colors of frames. */
export function declareAs({ matrix, primaries, transfer }: Colors): string {
  return `setparams=range=tv:colorspace=${matrix}:color_primaries=${primaries}:color_trc=${transfer}`;
}
