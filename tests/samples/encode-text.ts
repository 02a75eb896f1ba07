/** Encodes texts in the encodings that `TextDecoder` only reads. */

const tables = new Map<string, ReadonlyMap<string, Buffer>>();

/** The bytes of `text` in `encoding`, of at most two bytes per character. Throws if it has no such character. */
export function encodeText(text: string, encoding: string): Buffer {
  const table = tables.get(encoding) ?? makeTable(encoding);
  tables.set(encoding, table);
  const bytes = [...text].map((character) => {
    const found = table.get(character);
    if (!found) throw new Error(`${encoding} has no ${character}`);
    return found;
  });
  return Buffer.concat(bytes);
}

/** The bytes of each character: what a decoder reads in one byte, or else in two. */
function makeTable(encoding: string): ReadonlyMap<string, Buffer> {
  const decoder = new TextDecoder(encoding);
  const table = new Map<string, Buffer>();
  const add = (...bytes: number[]) => {
    const encoded = Buffer.from(bytes);
    const decoded = [...decoder.decode(encoded)];
    const [character = ""] = decoded;
    if (decoded.length === 1 && !table.has(character)) table.set(character, encoded);
  };
  for (let byte = 0; byte < 256; byte++) add(byte);
  for (let lead = 0x81; lead < 0xff; lead++) {
    for (let trail = 0x40; trail < 0xff; trail++) add(lead, trail);
  }
  return table;
}
