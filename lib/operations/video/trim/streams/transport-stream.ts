import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { appendToRegular, openRegular } from "#lib/files/regular-files.ts";

/** MPEG transport streams (ISO/IEC 13818-1) that ffmpeg wrote with one stream. */

const packetBytes = 188;
/** The stream that ffmpeg's muxer numbers first. */
const firstStream = 0x100;
/** Parameter sets, and the messages around them, are in the first kilobytes. */
const readBytes = 512 * packetBytes;

/** Packets without content, which players skip. */
const nullPacket = Buffer.alloc(packetBytes, 0xff);
nullPacket.write("471fff10", "hex");

/** Makes a short stream long enough for ffmpeg to detect its format. */
export async function padTransportStream({ path }: WorkFile): Promise<void> {
  await appendToRegular(path, Buffer.concat(Array.from({ length: 64 }, () => nullPacket)));
}

/** Types of NAL units by codec: of all parameter sets, and of pictures that need no earlier one. */
const unitTypes = {
  // SPS, PPS; IDR.
  h264: { sets: [7, 8], fresh: [5], pictures: [1, 5], typeOf: (byte: number) => byte & 31 },
  // VPS, SPS, PPS; IDR with and without leading pictures.
  hevc: {
    sets: [32, 33, 34],
    fresh: [19, 20],
    pictures: [0, 31],
    typeOf: (byte: number) => byte >> 1,
  },
} as const;

/**
 * Whether the first picture needs nothing from before: it has its parameter sets, and no later picture
 * refers to an earlier one. False for other codecs.
 */
export async function startsIndependently(
  file: WorkFile,
  codec: string | undefined,
): Promise<boolean> {
  if (codec !== "h264" && codec !== "hevc") return false;
  const { sets, fresh, pictures, typeOf } = unitTypes[codec];
  const missing = new Set<number>(sets);
  for (const byte of nalUnitBytes(await readFirstFrame(file))) {
    const type = typeOf(byte);
    missing.delete(type);
    const isPicture = type >= pictures[0] && type <= pictures[1];
    if (isPicture) return missing.size === 0 && fresh.some((one) => one === type);
  }
  return false;
}

/** The first byte of each NAL unit in a byte stream. */
function* nalUnitBytes(stream: Buffer): Generator<number> {
  const startCode = Buffer.from([0, 0, 1]);
  for (let at = stream.indexOf(startCode); at >= 0; at = stream.indexOf(startCode, at + 3)) {
    const byte = stream[at + 3];
    if (byte !== undefined) yield byte;
  }
}

/** The elementary stream of the first packets, without the headers around it. */
async function readFirstFrame({ path }: WorkFile): Promise<Buffer> {
  const handle = await openRegular(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(readBytes), 0, readBytes, 0);
    const parts: Buffer[] = [];
    for (let at = 0; at + packetBytes <= bytesRead; at += packetBytes) {
      const packet = buffer.subarray(at, at + packetBytes);
      if ((packet.readUInt16BE(1) & 0x1fff) !== firstStream) continue;
      const hasAdaptation = (packet.readUInt8(3) & 0x20) !== 0;
      const payload = packet.subarray(hasAdaptation ? 5 + packet.readUInt8(4) : 4);
      const startsFrame = (packet.readUInt8(1) & 0x40) !== 0;
      // A frame begins with the header of its packet (PES), which says how long it is.
      parts.push(startsFrame ? payload.subarray(9 + (payload[8] ?? 0)) : payload);
    }
    return Buffer.concat(parts);
  } finally {
    await handle.close();
  }
}
