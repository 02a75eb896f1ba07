import { z } from "zod";
import { captureDocument } from "#lib/engines/chromium/chromium.ts";
import { mayDependOnScrolling } from "#lib/engines/chromium/page/scrolling.ts";
import { mediaType } from "#lib/media/types.ts";
import { defineOperation } from "../../define.ts";
import {
  markdownIncludes,
  pageFields,
  pageInputHeaders,
  pageMedia,
  toPageSettings,
} from "../../fields/page/index.ts";
import { pageAssets, readPage } from "../../shared/page/read-page.ts";
import { deviceNames } from "./device-names.ts";
import { resolveViewport } from "./viewport.ts";

export const htmlToImage = defineOperation({
  id: "document/html-to-image",
  title: "HTML to image",
  summary: "Capture an HTML file or a web page, or one of its elements, as an image.",
  accepts: ["html"],
  params: z.strictObject({
    width: z
      .int()
      .min(1)
      .max(3840)
      .default(1280)
      .meta({ description: "Width of the browser window, in CSS pixels.", unit: "px" }),
    height: z
      .int()
      .min(1)
      .max(10_000)
      .default(800)
      .meta({ description: "Height of the browser window, in CSS pixels.", unit: "px" }),
    full_page: z
      .boolean()
      .default(true)
      .describe(
        "Whether the image shows the whole page, not only the part that fits in the window.",
      ),
    format: z
      .enum(["png", "jpeg", "webp"])
      .default("png")
      .describe("The format of the image. PNG is lossless."),
    scale: z.number().min(0.1).max(4).default(1).meta({
      description: "Pixels of the image for each CSS pixel, such as 2 for sharp displays.",
      control: "slider",
    }),
    selector: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        "The CSS selector of an element. The image then shows only the first that matches.",
      ),
    dark: z.boolean().default(false).describe("Whether the page prefers a dark color scheme."),
    device: z
      .enum(deviceNames)
      .optional()
      .describe(
        "A device whose screen and user agent are used instead of width, height and scale, such as iPhone 15 Pro, or iPhone 15 Pro landscape.",
      ),
    media: pageMedia("screen"),
    quality: z.int().min(1).max(100).default(90).meta({
      description: "Quality of a JPEG or WebP. PNG is lossless.",
      control: "slider",
    }),
    markdown_includes: markdownIncludes,
    ...pageFields,
  }),
  files: pageAssets,
  example: { width: 800, format: "png" },
  sample: { input: "invoice.html", params: { width: 800, scale: 1.5 } },
  produces: (_, { format }) => format,
  runsIn: "runner",
  requires: ["chromium"],
  async inputHeaders(params, request) {
    const { userAgent } = await resolveViewport(params);
    return pageInputHeaders({ ...params, user_agent: userAgent }, request);
  },
  async run(context) {
    const { params, work, signal } = context;
    const { limits, network } = work;
    const { format, quality, full_page: isFullPage, selector, media, dark } = params;
    const { viewport, userAgent } = await resolveViewport(params);
    const settings = toPageSettings({ ...params, user_agent: userAgent });
    const output = work.output(mediaType(format).extension);
    const document = await readPage(context);
    const scrollsThrough = isFullPage && mayDependOnScrolling(document, settings);
    const { warnings, ...size } = await captureDocument({
      document,
      settings: { ...settings, media, dark, viewport, scrollsThrough },
      format,
      quality,
      isFullPage,
      selector,
      output: output.path,
      limits,
      network,
      signal,
    });
    return { outputs: [{ ...output, ...size }], warnings };
  },
});
