import { findBox } from "#lib/formats/iso-boxes/track-boxes.ts";
import type { HlsCodec } from "./arguments.ts";

/** The codec of a rendition as RFC 6381 writes it, read from the start of its first segment. */
export function readCodecString(codec: HlsCodec, start: Buffer): string {
  return codec === "h264" ? readAvc(start) : readHevc(start);
}

/** Profile, constraints and level follow the header of a sequence parameter set (ISO/IEC 14496-10). */
function readAvc(start: Buffer): string {
  for (const header of [0x67, 0x27]) {
    const at = start.indexOf(Buffer.from([0, 0, 1, header]));
    if (at >= 0) return `avc1.${start.toString("hex", at + 4, at + 7)}`;
  }
  throw new Error("a segment has no parameters of H.264");
}

/** ISO/IEC 14496-15, annex E.3, for the box `hvcC`. */
function readHevc(start: Buffer): string {
  const configuration = findBox(start, "hvcC");
  if (!configuration) throw new Error("a segment has no parameters of H.265");
  const profile = configuration.readUInt8(1);
  const space = ["", "A", "B", "C"][profile >> 6] ?? "";
  const flags = configuration.readUInt32BE(2);
  // In reverse bit order, without leading zeros.
  const reversed = Number.parseInt([...flags.toString(2).padStart(32, "0")].reverse().join(""), 2);
  const constraints = [...configuration.subarray(6, 12)];
  while (constraints.at(-1) === 0) constraints.pop();
  const tail = constraints.map((byte) => `.${byte.toString(16).toUpperCase()}`).join("");
  const tier = (profile & 0x20) !== 0 ? "H" : "L";
  const compatibility = reversed.toString(16).toUpperCase();
  return `hvc1.${space}${profile & 0x1f}.${compatibility}.${tier}${configuration.readUInt8(12)}${tail}`;
}
