/** What an XMP packet declares of PDF/A (ISO 19005-1, 6.7.11), as elements or attributes. */

const partPattern = /(pdfaid:part(?:>|\s*=\s*["'])\s*)(\d+)(?=\s*["'<])/g;

const declarationPattern =
  /<pdfaid:\w+>[^<]*<\/pdfaid:\w+>|\spdfaid:\w+\s*=\s*(?:"[^"]*"|'[^']*')/g;

/** The part of ISO 19005 that a file declares to follow, such as `2`. */
export function declaredPart(packet: string): string | undefined {
  return packet.matchAll(partPattern).next().value?.[2];
}

/** The level of the part, such as `B`; of part 4, `E` or `F` for files that others are attached to. */
export function declaredConformance(packet: string): string | undefined {
  return /pdfaid:conformance(?:>|\s*=\s*["'])\s*(\w+)/.exec(packet)?.[1]?.toUpperCase();
}

/** The packet of a file that follows another part, at the same level. */
export function declarePart(packet: string, part: string): string {
  return packet.replace(partPattern, `$1${part}`);
}

/** The packet of a file that is no PDF/A file any more. */
export function removeDeclaration(packet: string): string {
  return packet.replace(declarationPattern, "");
}
