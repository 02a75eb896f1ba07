import { BitReader, buildLookup, type HuffmanLookup } from "./bit-reader.ts";
import { type JpegComponent, type JpegHeader, markers } from "./read-header.ts";

/** The part of an image to decode, in units of the scan (T.81: minimum coded units). */
export interface UnitBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface BlockPlan {
  readonly component: number;
  readonly dc: HuffmanLookup;
  readonly ac: HuffmanLookup;
}

/** The reader is ahead of the data by at most this many bytes. */
const maxOverrun = 4;

/** The component of each block in a unit. */
export function blocksOfUnit({ components }: JpegHeader): number[] {
  return components.flatMap(({ across, down }, index) =>
    Array.from({ length: across * down }, () => index),
  );
}

/** The same, with their properties. */
export function componentsOfUnit(header: JpegHeader): JpegComponent[] {
  return blocksOfUnit(header).flatMap((index) => header.components[index] ?? []);
}

/** The size of a unit in pixels. */
export function unitSize({ components }: JpegHeader): { width: number; height: number } {
  return {
    width: 8 * Math.max(...components.map(({ across }) => across)),
    height: 8 * Math.max(...components.map(({ down }) => down)),
  };
}

/** The new position, counted in blocks, of block `index` of the unit in column `x` and row `y`. */
export type PlaceBlock = (x: number, y: number, index: number) => number;

/**
 * The quantized coefficients of all blocks in the units of `box`, 64 each in zigzag order, in the order
 * of the scan or as `place` has it, which gets positions in the box. Undefined if the data is damaged
 * or goes on with another scan.
 */
export function decodeBlocks(
  file: Buffer,
  header: JpegHeader,
  box: UnitBox,
  place?: PlaceBlock,
): Int16Array | undefined {
  const plans = planBlocks(header);
  if (!plans) return undefined;
  const unit = unitSize(header);
  const columns = Math.ceil(header.width / unit.width);
  const rows = Math.ceil(header.height / unit.height);
  const blocks = new Int16Array(box.width * box.height * plans.length * 64);
  const ignored = new Int16Array(64);
  const reader = new BitReader(file, header.dataStart);
  const predictions = header.components.map(() => 0);
  let offset = 0;
  for (let index = 0; index < columns * rows; index++) {
    if (header.restartInterval > 0 && index > 0 && index % header.restartInterval === 0) {
      if (((reader.nextMarker() ?? 0) & 0xf8) !== 0xd0) return undefined;
      predictions.fill(0);
    }
    const x = (index % columns) - box.left;
    const y = Math.floor(index / columns) - box.top;
    const isInside = x >= 0 && y >= 0 && x < box.width && y < box.height;
    for (const [block, { component, dc, ac }] of plans.entries()) {
      const difference = reader.readValue(reader.readSymbol(dc) & 15);
      const prediction = (predictions[component] ?? 0) + difference;
      predictions[component] = prediction;
      const target = isInside ? blocks : ignored;
      const start = isInside ? 64 * (place ? place(x, y, block) : offset) : 0;
      target[start] = prediction;
      if (!readCoefficients(reader, ac, target, start)) return undefined;
      if (isInside) offset++;
    }
    if (reader.isDamaged || reader.overrun > maxOverrun) return undefined;
  }
  return reader.nextMarker() === markers.eoi ? blocks : undefined;
}

function planBlocks(header: JpegHeader): BlockPlan[] | undefined {
  const plans: BlockPlan[] = [];
  for (const index of blocksOfUnit(header)) {
    const component = header.components[index];
    const dc = header.dcTables.get(component?.dcTable ?? -1);
    const ac = header.acTables.get(component?.acTable ?? -1);
    if (!dc || !ac) return undefined;
    const known = plans.find((plan) => plan.component === index);
    plans.push(known ?? { component: index, dc: buildLookup(dc), ac: buildLookup(ac) });
  }
  return plans;
}

/** Reads all coefficients of a block but the first one; false if they are damaged. */
function readCoefficients(
  reader: BitReader,
  lookup: HuffmanLookup,
  target: Int16Array,
  start: number,
): boolean {
  for (let index = 1; index < 64; index++) {
    const symbol = reader.readSymbol(lookup);
    const [zeros, size] = [symbol >> 4, symbol & 15];
    if (size === 0 && zeros < 15) return true;
    index += zeros;
    if (index > 63) return false;
    target[start + index] = reader.readValue(size);
  }
  return true;
}
