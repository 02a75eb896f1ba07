import { z } from "zod";
import { type ImagePlan, type PictureFormat, pictureFormats } from "../plan/plan.ts";
import type { Size } from "../plan/size.ts";

/** What a worker gets to draw a picture, and what it returns. */

export interface DrawOptions {
  readonly plan: ImagePlan;
  /** Formats that the client prefers to that of the source, best first. */
  readonly preferred: readonly PictureFormat[];
  /** The own size of a drawing, which the image may be larger than. */
  readonly vector?: Size | undefined;
  /** Whether a small picture is sent in the reply, which takes less time than a file. */
  readonly inReply?: true;
}

const side = z.number().int().min(1).max(1_000_000);

export const drawnSchema = z.object({
  /** The format of the picture. One in JPEG XL or HEIC is written as PNG, and has still to be encoded. */
  format: z.enum(pictureFormats),
  width: side,
  height: side,
  quality: z.number().int().min(1).max(100),
  /** The bytes in Base64. Absent if there is a file with them. */
  body: z.string().optional(),
});

export type Drawn = z.output<typeof drawnSchema>;
