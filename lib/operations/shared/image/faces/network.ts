import {
  applyLeakyRelu,
  convolveDepthwise,
  gatherPatches,
  multiplyChannels,
  poolMaximum,
  type Tensor,
} from "./layers.ts";
import { readWeights, transpose } from "./weights.ts";

/**
 * The Tiny Face Detector of face-api.js: a Tiny YOLO v2 with depthwise separable convolutions, trained
 * on photos with 14,000 annotated faces. Its weights (MIT) come with the package @vladmandic/face-api,
 * of which nothing else is used.
 */

const model = "@vladmandic/face-api/model/tiny_face_detector_model";

/** Pixels per cell of the output, in each direction. */
export const cellSize = 32;

/** Sizes of typical faces, in cells. Each cell reports one box for each. */
export const anchors = [
  [1.603231, 2.094468],
  [6.041143, 7.080126],
  [2.882459, 3.518061],
  [4.266906, 5.178857],
  [9.041765, 10.66308],
] as const;

/** Values per box: x, y, width, height and score, before their activation functions. */
export const valuesPerBox = 5;

/** Mean of the training images, subtracted from red, green and blue. */
export const meanColor = [117.001, 114.697, 97.404] as const;

interface Matrix {
  readonly weights: Float32Array;
  readonly bias: Float32Array;
}

interface Network {
  readonly first: Matrix;
  readonly separable: readonly (Matrix & { readonly depthwise: Float32Array })[];
  readonly last: Matrix;
}

let loaded: Promise<Network> | undefined;

function loadNetwork(): Promise<Network> {
  loaded ??= readNetwork();
  return loaded;
}

async function readNetwork(): Promise<Network> {
  const read = await readWeights(`${model}-weights_manifest.json`, `${model}.bin`);
  const readMatrix = (layer: string, name: string) => {
    const bias = read(`${layer}/bias`);
    return { weights: transpose(read(`${layer}/${name}`), bias.length), bias };
  };
  return {
    first: readMatrix("conv0", "filters"),
    separable: [1, 2, 3, 4, 5].map((index) => ({
      depthwise: read(`conv${index}/depthwise_filter`),
      ...readMatrix(`conv${index}`, "pointwise_filter"),
    })),
    last: readMatrix("conv8", "filters"),
  };
}

/**
 * What the network reports about an image: one cell per 32 × 32 pixels, with the values of five boxes
 * each. `image` has three channels, from which `meanColor` was subtracted, divided by 255.
 */
export async function runNetwork(image: Tensor): Promise<Tensor> {
  const { first, separable, last } = await loadNetwork();
  let map = multiplyChannels(gatherPatches(image), first.weights, first.bias);
  map = poolMaximum(applyLeakyRelu(map), 2);
  for (const [index, { depthwise, weights, bias }] of separable.entries()) {
    map = applyLeakyRelu(multiplyChannels(convolveDepthwise(map, depthwise), weights, bias));
    map = poolMaximum(map, index === separable.length - 1 ? 1 : 2);
  }
  return multiplyChannels(map, last.weights, last.bias);
}
