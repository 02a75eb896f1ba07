import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { projectFolder } from "#lib/engines/sandbox/bubblewrap/arguments.ts";

/** Reads the weights of a network in the format of TensorFlow.js: a manifest and one file of values. */

const manifestSchema = z
  .tuple([
    z.object({
      weights: z.array(
        z.object({
          name: z.string(),
          shape: z.array(z.int()),
          quantization: z.object({ dtype: z.literal("uint8"), scale: z.number(), min: z.number() }),
        }),
      ),
    }),
  ])
  .transform(([{ weights }]) => weights);

/** The tensors of a network by name, such as `conv0/filters`. */
export type Weights = (name: string) => Float32Array;

/**
 * Reads `manifest`, a path of JSON in node_modules, and `values`, one of 8-bit values in the manifest's order.
 * Throws if they do not match.
 */
export async function readWeights(manifest: string, values: string): Promise<Weights> {
  const resolve = (path: string) => join(projectFolder(), "node_modules", path);
  const entries = manifestSchema.parse(JSON.parse(await readFile(resolve(manifest), "utf8")));
  const bytes = await readFile(resolve(values));
  const tensors = new Map<string, Float32Array>();
  let start = 0;
  for (const { name, shape, quantization } of entries) {
    const end = start + shape.reduce((product, side) => product * side, 1);
    const quantized = bytes.subarray(start, end);
    const { scale, min } = quantization;
    tensors.set(
      name,
      Float32Array.from(quantized, (value) => value * scale + min),
    );
    start = end;
  }
  if (start !== bytes.length) throw new Error(`${values} has another length than its manifest`);
  return (name) => {
    const tensor = tensors.get(name);
    if (!tensor) throw new Error(`${manifest} has no ${name}`);
    return tensor;
  };
}

/**
 * Turns `matrix`, which has one row per input channel, into one with one row per output channel.
 */
export function transpose(matrix: Float32Array, columns: number): Float32Array {
  const rows = matrix.length / columns;
  return Float32Array.from(matrix, (_, at) => {
    const column = Math.floor(at / rows);
    return matrix[(at % rows) * columns + column] ?? 0;
  });
}
