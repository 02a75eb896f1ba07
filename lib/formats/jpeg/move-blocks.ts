import type { Transform } from "#lib/media/transform.ts";
import { blocksOfUnit, type PlaceBlock } from "./decode-blocks.ts";
import type { JpegHeader } from "./read-header.ts";

/** Positions in a block of 8 × 8, row by row, in the order of T.81, figure 5. */
const zigzag = listZigzag();

function listZigzag(): number[] {
  const positions: number[] = [];
  for (let diagonal = 0; diagonal < 15; diagonal++) {
    for (let step = 0; step <= diagonal; step++) {
      const [x, y] = diagonal % 2 === 0 ? [step, diagonal - step] : [diagonal - step, step];
      if (x < 8 && y < 8) positions.push(y * 8 + x);
    }
  }
  return positions;
}

/** By zigzag position: the position with column and row swapped. */
const swapped = zigzag.map((position) => zigzag.indexOf((position % 8) * 8 + (position >> 3)));

/** Where the blocks of an image of `columns` × `rows` units are after `transform`. */
export function placeAfter(
  header: JpegHeader,
  { columns, rows }: { readonly columns: number; readonly rows: number },
  { swapsAxes, reversesColumns, reversesRows }: Transform,
): PlaceBlock {
  const inUnit = header.components.flatMap(({ across, down }, component) => {
    const first = blocksOfUnit(header).indexOf(component);
    return Array.from({ length: across * down }, (_, index) => {
      const [column, row] = [index % across, Math.floor(index / across)];
      const x = reversesColumns ? across - 1 - column : column;
      const y = reversesRows ? down - 1 - row : row;
      return first + (swapsAxes ? x * down + y : y * across + x);
    });
  });
  return (column, row, index) => {
    const x = reversesColumns ? columns - 1 - column : column;
    const y = reversesRows ? rows - 1 - row : row;
    const unit = swapsAxes ? x * rows + y : y * columns + x;
    return unit * inUnit.length + (inUnit[index] ?? 0);
  };
}

/**
 * Changes each block of 64 coefficients as `transform` moves its pixels: odd frequencies of a reversed
 * axis change their sign.
 */
export function transformBlocks(blocks: Int16Array, transform: Transform): void {
  const { swapsAxes, reversesColumns, reversesRows } = transform;
  const sources = swapsAxes ? swapped : zigzag.map((_, index) => index);
  const signs = sources.map((source) => {
    const [column, row] = [(zigzag[source] ?? 0) % 8, (zigzag[source] ?? 0) >> 3];
    const changes = (reversesColumns && column % 2 === 1) !== (reversesRows && row % 2 === 1);
    return changes ? -1 : 1;
  });
  const block = new Int16Array(64);
  for (let start = 0; start < blocks.length; start += 64) {
    block.set(blocks.subarray(start, start + 64));
    for (let index = 1; index < 64; index++) {
      blocks[start + index] = (block[sources[index] ?? 0] ?? 0) * (signs[index] ?? 1);
    }
  }
}

/** The content of a DQT segment with columns and rows swapped. Undefined if it is damaged. */
export function swapQuantization(content: Buffer): Buffer | undefined {
  const moved = Buffer.from(content);
  let at = 0;
  while (at < content.length) {
    const bytes = (content[at] ?? 0) >> 4 === 0 ? 1 : 2;
    const start = at + 1;
    at = start + 64 * bytes;
    if (at > content.length) return undefined;
    for (const [index, source] of swapped.entries()) {
      const from = start + source * bytes;
      content.copy(moved, start + index * bytes, from, from + bytes);
    }
  }
  return moved;
}
