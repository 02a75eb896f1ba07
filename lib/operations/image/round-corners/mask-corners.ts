import type { FramePixels } from "#lib/engines/image/frames.ts";

/**
 * Makes the corners of RGBA frames transparent outside of circles of `radius` pixels, in place. Pixels
 * at the edge are transparent by the share of them that is outside.
 */
export function maskCorners({ samples, width, height, pages }: FramePixels, radius: number): void {
  const rows = Math.min(height, Math.ceil(radius));
  const columns = Math.min(width, Math.ceil(radius));
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const coverage = coverageAt(radius - x - 0.5, radius - y - 0.5, radius);
      if (coverage === 1) break;
      // A narrow corner may reach over the middle, where the two sides meet.
      const acrosses = new Set([x, width - 1 - x]);
      const downs = new Set([y, height - 1 - y]);
      for (let page = 0; page < pages; page++) {
        for (const down of downs) {
          for (const across of acrosses) {
            const alpha = ((page * height + down) * width + across) * 4 + 3;
            samples[alpha] = Math.round((samples[alpha] ?? 0) * coverage);
          }
        }
      }
    }
  }
}

/** The share of a pixel that is inside a circle; its center is `right`, `down` from the circle's. */
function coverageAt(right: number, down: number, radius: number): number {
  if (right <= 0 || down <= 0) return 1;
  return Math.min(1, Math.max(0, radius - Math.hypot(right, down) + 0.5));
}
