import { z } from "zod";

/** How a picture is stored: four bytes for the length of its description, this as JSON, and the picture. */

const schema = z.object({
  contentType: z.string(),
  /** When its source was asked for, in milliseconds since the epoch. */
  createdAt: z.number(),
  /** The source as purges name it. */
  source: z.string(),
  /** When the source was last changed, as its server says. */
  lastModified: z.string().optional(),
  /** The file name of the picture, with its extension. */
  filename: z.string(),
  etag: z.string(),
  /** The size of the picture in bytes, because a file may be incomplete after a power failure. */
  bytes: z.number(),
  width: z.number().optional(),
  height: z.number().optional(),
});

export type PictureHead = z.output<typeof schema>;

export interface CachedPicture {
  readonly head: PictureHead;
  readonly body: Buffer;
}

const lengthBytes = 4;

export function packPicture({ head, body }: CachedPicture): Buffer {
  const description = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(description.length);
  return Buffer.concat([length, description, body]);
}

/** Undefined if the bytes are not those of a whole picture. */
export function unpackPicture(bytes: Buffer): CachedPicture | undefined {
  if (bytes.length < lengthBytes) return undefined;
  const end = lengthBytes + bytes.readUInt32BE(0);
  const { data: head } = schema.safeParse(parseJson(bytes.toString("utf8", lengthBytes, end)));
  const body = bytes.subarray(end);
  return head?.bytes === body.length ? { head, body } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
