import { z } from "zod";
import type { WorkFile, WorkFolder } from "../../sandbox/work-folder.ts";
import { runProbe } from "../ffprobe.ts";
import type { MediaStream } from "../media-info.ts";

/** The static metadata of HDR10: the display on which a video was graded, and how bright its content is. */

interface HdrSource {
  readonly input: WorkFile;
  readonly video: MediaStream;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
}

/** Text such as `34000/50000`, in the units of the metadata: 0.00002 of a coordinate, 0.0001 cd/m². */
const units = z
  .string()
  .regex(/^\d+\/\d+$/)
  .transform((text) => text.split("/").map(Number));

const display = z.object({
  red_x: units,
  red_y: units,
  green_x: units,
  green_y: units,
  blue_x: units,
  blue_y: units,
  white_point_x: units,
  white_point_y: units,
  min_luminance: units,
  max_luminance: units,
});
const light = z.object({ max_content: z.number().int(), max_average: z.number().int() });
const sideData = z.looseObject({ side_data_type: z.string().optional() });
const frames = z.object({
  frames: z.array(z.object({ side_data_list: z.array(sideData).default([]) })).default([]),
});

/**
 * The arguments `args`, which encode the video of `file` in `codec`, with its HDR10 metadata. Only x265 takes
 * it; for other codecs there is a warning. H.264 is SDR. Throws what `runProbe` throws.
 */
export async function keepHdrMetadata(
  args: readonly string[],
  codec: string,
  file: HdrSource,
): Promise<readonly string[]> {
  if (file.video.colorTransfer !== "smpte2084" || codec === "h264") return args;
  const params = await readParams(file);
  if (params.length === 0) return args;
  if (codec !== "hevc") {
    file.work.warn("The HDR10 metadata was left out, because only H.265 can keep it.");
    return args;
  }
  return args.map((option, index) =>
    args[index - 1] === "-x265-params" ? [option, ...params].join(":") : option,
  );
}

/** The parameters of x265 for the metadata of the first frame; none if it has no metadata. */
async function readParams({ input, video, work, signal }: HdrSource): Promise<string[]> {
  const args = ["-of", "json", "-select_streams", `${video.index}`, "-read_intervals", "%+#1"];
  args.push("-show_entries", "frame_side_data_list");
  const { stdout } = await runProbe(input, work, signal, args);
  const list = frames.parse(JSON.parse(stdout.toString("utf8"))).frames[0]?.side_data_list;
  const find = (type: string) => list?.find(({ side_data_type }) => side_data_type === type);
  const graded = display.safeParse(find("Mastering display metadata")).data;
  const levels = light.safeParse(find("Content light level metadata")).data;
  return [
    ...(graded ? [`master-display=${describeDisplay(graded)}`] : []),
    ...(levels ? [`max-cll=${levels.max_content},${levels.max_average}`] : []),
  ];
}

function describeDisplay(graded: z.output<typeof display>): string {
  const scale = ([numerator = 0, denominator = 1]: readonly number[], unit: number) =>
    Math.round((numerator / denominator) * unit);
  const point = (x: readonly number[], y: readonly number[]) =>
    `(${scale(x, 50_000)},${scale(y, 50_000)})`;
  const luminances = [graded.max_luminance, graded.min_luminance].map((one) => scale(one, 10_000));
  return [
    `G${point(graded.green_x, graded.green_y)}`,
    `B${point(graded.blue_x, graded.blue_y)}`,
    `R${point(graded.red_x, graded.red_y)}`,
    `WP${point(graded.white_point_x, graded.white_point_y)}`,
    `L(${luminances.join(",")})`,
  ].join("");
}
