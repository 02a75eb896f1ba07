import { z } from "zod";
import { openImage } from "#lib/engines/image/open.ts";
import { defineOperation } from "../../define.ts";
import { images } from "../../fields/index.ts";
import { boxResult } from "../../result-fields.ts";
import { writeResult } from "../../write-result.ts";
import { findCodes } from "./read-codes.ts";

export const readCodes = defineOperation({
  id: "image/read-codes",
  title: "Read codes",
  summary: "Read the QR codes and barcodes in an image, also in photographs.",
  accepts: images,
  params: z.strictObject({}),
  example: {},
  sample: { input: "label.jpg" },
  produces: () => "json",
  result: z.strictObject({
    codes: z
      .array(
        z.strictObject({
          type: z.string().describe("Such as `qrcode` or `ean13`."),
          text: z.string().describe("What the code says."),
          box: boxResult("Its place in pixels, from the top left."),
          corners: z
            .array(z.strictObject({ x: z.number(), y: z.number() }))
            .describe("Its corners in pixels, clockwise."),
        }),
      )
      .describe("The codes that were found."),
  }),
  runsIn: "worker",
  requires: ["image"],
  async run({ input, work }) {
    const source = await openImage(input, work.limits, { firstPage: true });
    return writeResult({ codes: await findCodes(source) }, work);
  },
});
