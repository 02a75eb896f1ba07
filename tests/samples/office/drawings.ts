/** Drawings that contain `text`. */

/** AutoCAD's text format: pairs of a group code and a value. */
export function makeDxf(text: string): Buffer {
  const pairs = [
    ...[0, "SECTION", 2, "HEADER", 9, "$ACADVER", 1, "AC1009", 0, "ENDSEC"],
    ...[0, "SECTION", 2, "ENTITIES"],
    ...[0, "LINE", 8, 0, 10, 0, 20, 0, 11, 200, 21, 100],
    ...[0, "TEXT", 8, 0, 10, 10, 20, 50, 40, 12, 1, text],
    ...[0, "ENDSEC", 0, "EOF"],
  ];
  return Buffer.from(
    `${pairs.map((value, index) => (index % 2 ? value : `${value}`.padStart(3))).join("\r\n")}\r\n`,
  );
}
