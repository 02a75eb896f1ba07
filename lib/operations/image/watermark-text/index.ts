import { copyFile } from "node:fs/promises";
import { z } from "zod";
import { stampImage, uprightSize } from "#lib/engines/image/composite.ts";
import { openImage, type SourceImage } from "#lib/engines/image/open.ts";
import { drawText } from "#lib/engines/image/render-text.ts";
import { saveLike } from "#lib/engines/image/save.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { defineOperation, type InputFile, type OutputFile } from "../../define.ts";
import {
  color,
  drawnText,
  marginShare,
  opacity,
  type Position,
  position,
  rasterImages,
} from "../../fields/index.ts";

/** A legible caption: a fifteenth of the shorter side, and no smaller than small print. */
const defaultFontSize = (shorterSide: number) => Math.min(1000, Math.max(12, shorterSide / 15));

export const watermarkText = defineOperation({
  id: "image/watermark-text",
  summary: "Write text onto an image.",
  accepts: rasterImages,
  params: z.strictObject({
    text: drawnText,
    position,
    opacity: opacity(0.5),
    font_size: z
      .number()
      .min(4)
      .max(1000)
      .optional()
      .describe("Size of the text in pixels; by default a fifteenth of the shorter side."),
    color: color("#ffffff"),
  }),
  example: { text: "© Example", position: "bottom-right", opacity: 0.6 },
  produces: (type) => type,
  engine: "image",
  requires: ["image"],
  async run({ input, params, work }) {
    const source = await openImage(input, work.limits);
    const upright = uprightSize(source);
    const shorter = Math.min(upright.width, upright.height);
    const margin = Math.floor(shorter * marginShare);
    const stamp = await drawText({
      text: params.text,
      fontSize: params.font_size ?? defaultFontSize(shorter),
      color: params.color,
      opacity: params.opacity,
      maxWidth: upright.width - 2 * margin,
      maxHeight: upright.height - 2 * margin,
      align: alignment(params.position),
    });
    const output = work.output(input.extension);
    if (!stamp?.data.some((value, index) => index % 4 === 3 && value > 0)) {
      return { outputs: [await handBack(input, source, output)] };
    }
    const at = place(params.position, upright, stamp, margin);
    const stamped = await stampImage(source, stamp, at, work);
    return { outputs: [await saveLike(source, stamped, output)] };
  },
});

/** What cannot be seen changes nothing, not even by a new encoding. */
async function handBack(
  input: InputFile,
  source: SourceImage,
  output: WorkFile,
): Promise<OutputFile> {
  await copyFile(input.path, output.path);
  return { ...output, ...uprightSize(source) };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function place(position: Position, image: Size, text: Size, margin: number) {
  const along = (near: boolean, far: boolean, space: number) =>
    near ? margin : far ? space - margin : Math.floor(space / 2);
  const [upper, lower] = [position.startsWith("top"), position.startsWith("bottom")];
  const [leftmost, rightmost] = [position.endsWith("left"), position.endsWith("right")];
  return {
    left: along(leftmost, rightmost, image.width - text.width),
    top: along(upper, lower, image.height - text.height),
  };
}

function alignment(position: Position): "left" | "center" | "right" {
  if (position.endsWith("left")) return "left";
  return position.endsWith("right") ? "right" : "center";
}
