import { z } from "zod";
import { convertFile } from "#lib/engines/ffmpeg/subtitles/convert-task.ts";
import { convertSubtitles } from "#lib/formats/subtitles/convert.ts";
import { defineOperation } from "../../define.ts";
import { subtitleFiles, subtitleFormat } from "../../fields/index.ts";
import { countResult } from "../../result-fields.ts";

export const convertSubtitlesOperation = defineOperation({
  id: "video/convert-subtitles",
  title: "Convert subtitles",
  summary:
    "Convert subtitles between SRT, WebVTT and ASS. The output is in UTF-8; other encodings of the input are detected.",
  accepts: subtitleFiles,
  params: z.strictObject({ format: subtitleFormat("srt") }),
  example: { format: "vtt" },
  sample: { input: "subtitles.srt", params: { format: "vtt" } },
  produces: (_type, { format }) => format,
  result: z.strictObject({ cues: countResult("Number of subtitles.") }),
  runsIn: "worker",
  requires: ["image"],
  async run({ input, params: { format }, work }) {
    const output = work.output(format);
    const cues = await convertFile(
      input,
      output,
      (text, from) => convertSubtitles(text, from, format),
      work,
    );
    return { outputs: [output], result: { cues } };
  },
});
