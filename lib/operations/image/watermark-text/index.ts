import { z } from "zod";
import { displayedSize, openImage } from "#lib/engines/image/open.ts";
import { rasterizeText } from "#lib/engines/image/rasterize-text.ts";
import { copySource, saveInSourceFormat } from "#lib/engines/image/save.ts";
import { defineOperation } from "../../define.ts";
import {
  color,
  images,
  marginShare,
  offsetIn,
  opacity,
  type Position,
  position,
  renderedText,
} from "../../fields/index.ts";
import { overlayImage } from "../../shared/image/composite.ts";

/** A fifteenth of the shorter side, but at least 12 pixels. */
const defaultFontSize = (shorterSide: number) => Math.min(1000, Math.max(12, shorterSide / 15));

export const watermarkText = defineOperation({
  id: "image/watermark-text",
  title: "Text watermark",
  summary: "Add a text watermark to an image.",
  accepts: images,
  params: z.strictObject({
    text: renderedText,
    position: position("bottom-right"),
    opacity: opacity(0.5),
    font_size: z.number().min(4).max(1000).optional().meta({
      description: "Size of the text in pixels. The default is a fifteenth of the shorter side.",
      control: "slider",
      unit: "px",
    }),
    color: color("#ffffff"),
  }),
  example: { text: "© Example", position: "bottom-right", opacity: 0.6 },
  sample: {
    input: "photo.jpg",
    params: { text: "© Mira Holm · 朝食 2026", opacity: 0.85, font_size: 40, color: "#fff2d6" },
  },
  produces: (type) => type,
  chainsPixels: true,
  runsIn: "worker",
  requires: ["image"],
  async run({ input, params, work }) {
    const source = await openImage(input, work.limits);
    const size = displayedSize(source);
    const shorter = Math.min(size.width, size.height);
    const margin = Math.floor(shorter * marginShare);
    const text = await rasterizeText({
      text: params.text,
      fontSize: params.font_size ?? defaultFontSize(shorter),
      color: params.color,
      opacity: params.opacity,
      maxWidth: size.width - 2 * margin,
      maxHeight: size.height - 2 * margin,
      align: alignmentOf(params.position),
    });
    const output = work.output(input.extension);
    const isVisible = text?.data.some((value, index) => index % 4 === 3 && value > 0);
    // An invisible watermark changes nothing, so the image is not encoded again.
    if (!text || !isVisible) return { outputs: [await copySource(source, output)] };
    const offset = offsetIn(size, text, params.position, margin);
    const watermarked = await overlayImage(source, text, offset, work);
    return { outputs: [await saveInSourceFormat(source, watermarked, output)] };
  },
});

function alignmentOf(position: Position): "left" | "center" | "right" {
  if (position.endsWith("left")) return "left";
  return position.endsWith("right") ? "right" : "center";
}
