import { parseColor, type Rgba } from "#lib/operations/fields/index.ts";
import type { Box, Size, WaveStyle } from "./scene.ts";
import { spectrum } from "./wave-map.ts";

/** The frames per second of the video. */
export const frameRate = 25;

export interface WaveGraph {
  readonly style: WaveStyle;
  readonly wave: Box;
  /** The size of the maps. */
  readonly map: Size;
  readonly color: string;
  /** The duration in seconds. */
  readonly duration: number;
  /** The stream of the input 0. */
  readonly audio: number;
}

/** Quiet passages move too; silence stays silent. */
const level = "dynaudnorm=framelen=400:gausssize=15:maxgain=12:peak=0.95";

/** Audio as a picture: the levels of its frequencies, or its samples. Filled parts are white. */
function drawAudio({ style, map }: WaveGraph): string[] {
  const common = ["aformat=channel_layouts=mono:sample_fmts=fltp", "apad=pad_dur=2"];
  if (style === "line") {
    const rate = 24_000;
    // Each frame shows 0.04 s or less. Without high frequencies, the line is smooth.
    const size = `${map.width}x${map.height}`;
    // showwaves draws nothing where one sample equals the next.
    const hum = "aeval=val(0)+0.0003*sin(3000*t):c=same";
    const samples = `showwaves=s=${size}:mode=p2p:rate=${frameRate}:draw=full:colors=white:scale=sqrt`;
    return [...common, `aresample=${rate}`, "lowpass=f=420", "lowpass=f=420", level, hum, samples];
  }
  const size = `${spectrum.width}x${spectrum.height}`;
  const levels = `showfreqs=s=${size}:rate=${frameRate}:mode=bar:ascale=log:fscale=lin:win_size=512:averaging=3:colors=white`;
  const baseline = `drawbox=y=ih-3:h=3:color=white:t=fill`;
  return [...common, "aresample=16000", level, "treble=g=14:f=1600", levels, baseline];
}

/** Filter graphs from the audio, the scene (input 1) and the two maps (2 and 3) to `[video]`. */
export function drawWaveGraph(graph: WaveGraph): string[] {
  const { style, wave, color, duration, audio } = graph;
  const { red, green, blue, alpha } = parseColor(color);
  const thickness = style === "line" ? Math.min(4, Math.max(3, Math.round(wave.height / 32))) : 0;
  const thick = Array.from({ length: thickness }, () => "dilation,").join("");
  const still = (input: number, filters: string) =>
    `[${input}:v]${filters},loop=loop=-1:size=1,setpts=N/${frameRate}/TB,fps=${frameRate}`;
  return [
    `[0:${audio}]${drawAudio(graph).join(",")},format=gray[drawing]`,
    `[2:v]format=gray16le[columns]`,
    `[3:v]format=gray16le[rows]`,
    `[drawing][columns][rows]remap=format=gray:fill=black,${thick}scale=${wave.width}:${wave.height}:flags=area,format=gray,lut=y=(val-16)*${((alpha * 255) / 239).toFixed(4)}[mask]`,
    `color=c=${hex({ red, green, blue })}:s=${wave.width}x${wave.height}:r=${frameRate},format=yuva444p[fill]`,
    "[fill][mask]alphamerge[wave]",
    `${still(1, "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p")}[scene]`,
    `[scene][wave]overlay=${wave.left}:${wave.top}:shortest=1,trim=duration=${duration.toFixed(3)},format=yuv420p[video]`,
  ];
}

function hex({ red, green, blue }: Omit<Rgba, "alpha">): string {
  return `0x${[red, green, blue].map((one) => one.toString(16).padStart(2, "0")).join("")}`;
}
