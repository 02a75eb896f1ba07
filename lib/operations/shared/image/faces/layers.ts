/** Layers of a convolutional network, on typed arrays. */

/** A feature map: `height` rows of `width` positions with `channels` values each. */
export interface Tensor {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly values: Float32Array;
}

export function createTensor(width: number, height: number, channels: number): Tensor {
  return { width, height, channels, values: new Float32Array(width * height * channels) };
}

/**
 * The patch of 3 × 3 positions around each position that is not at the edge, as the channels of a map
 * that is smaller by two rows and columns.
 */
export function gatherPatches({ width, height, channels, values }: Tensor): Tensor {
  const patches = createTensor(width - 2, height - 2, channels * 9);
  const rowLength = channels * 3;
  let target = 0;
  for (let y = 0; y < patches.height; y++) {
    for (let x = 0; x < patches.width; x++) {
      for (let row = 0; row < 3; row++) {
        const start = ((y + row) * width + x) * channels;
        for (let at = 0; at < rowLength; at++) {
          patches.values[target++] = values[start + at] ?? 0;
        }
      }
    }
  }
  return patches;
}

/** Each channel convolved with its own filter of 3 × 3 (`filters[tap * channels + channel]`), zero-padded. */
export function convolveDepthwise(input: Tensor, filters: Float32Array): Tensor {
  const { width, height, channels } = input;
  const output = createTensor(width, height, channels);
  const { values } = addBorder(input);
  const row = (width + 2) * channels;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const target = (y * width + x) * channels;
      const source = y * row + x * channels;
      for (let channel = 0; channel < channels; channel++) {
        let sum = 0;
        for (let tap = 0; tap < 3; tap++) {
          const from = source + tap * row + channel;
          const filter = tap * 3 * channels + channel;
          sum += (values[from] ?? 0) * (filters[filter] ?? 0);
          sum += (values[from + channels] ?? 0) * (filters[filter + channels] ?? 0);
          sum += (values[from + 2 * channels] ?? 0) * (filters[filter + 2 * channels] ?? 0);
        }
        output.values[target + channel] = sum;
      }
    }
  }
  return output;
}

/** Returns `input` with a border of zeros, one position wide. */
function addBorder({ width, height, channels, values }: Tensor): Tensor {
  const bordered = createTensor(width + 2, height + 2, channels);
  const length = width * channels;
  for (let y = 0; y < height; y++) {
    const row = values.subarray(y * length, (y + 1) * length);
    bordered.values.set(row, ((y + 1) * (width + 2) + 1) * channels);
  }
  return bordered;
}

/**
 * The channels of each position multiplied by a matrix, plus a bias: a convolution of 1 × 1.
 * `weights` has one row of `input.channels` values per output channel. Two positions and four rows at a
 * time: every value that is read is then used more than once, which takes half the time.
 */
export function multiplyChannels(input: Tensor, weights: Float32Array, bias: Float32Array): Tensor {
  const { width, height, channels, values } = input;
  const rows = bias.length;
  const output = createTensor(width, height, rows);
  const last = (width * height - 1) * channels;
  for (let left = 0; left <= last; left += 2 * channels) {
    const right = Math.min(left + channels, last);
    const leftTarget = (left / channels) * rows;
    const rightTarget = (right / channels) * rows;
    for (let row = 0; row < rows; row += 4) {
      // The last block overlaps the one before it if the number of rows is no multiple of four.
      const start = Math.min(row, rows - 4);
      const first = start * channels;
      const second = first + channels;
      const third = second + channels;
      const fourth = third + channels;
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      let e = 0;
      let f = 0;
      let g = 0;
      let h = 0;
      for (let channel = 0; channel < channels; channel++) {
        const x = values[left + channel] ?? 0;
        const y = values[right + channel] ?? 0;
        const one = weights[first + channel] ?? 0;
        const two = weights[second + channel] ?? 0;
        const three = weights[third + channel] ?? 0;
        const four = weights[fourth + channel] ?? 0;
        a += x * one;
        b += x * two;
        c += x * three;
        d += x * four;
        e += y * one;
        f += y * two;
        g += y * three;
        h += y * four;
      }
      output.values[leftTarget + start] = a + (bias[start] ?? 0);
      output.values[leftTarget + start + 1] = b + (bias[start + 1] ?? 0);
      output.values[leftTarget + start + 2] = c + (bias[start + 2] ?? 0);
      output.values[leftTarget + start + 3] = d + (bias[start + 3] ?? 0);
      output.values[rightTarget + start] = e + (bias[start] ?? 0);
      output.values[rightTarget + start + 1] = f + (bias[start + 1] ?? 0);
      output.values[rightTarget + start + 2] = g + (bias[start + 2] ?? 0);
      output.values[rightTarget + start + 3] = h + (bias[start + 3] ?? 0);
    }
  }
  return output;
}

/** Multiplies negative values by 0.1, in place. */
export function applyLeakyRelu(tensor: Tensor): Tensor {
  const { values } = tensor;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    if (value < 0) values[at] = value * 0.1;
  }
  return tensor;
}

/** The maximum of 2 × 2 positions, every `stride` positions; fewer at the right and bottom edge. */
export function poolMaximum(input: Tensor, stride: 1 | 2): Tensor {
  const { width, height, channels, values } = input;
  const output = createTensor(Math.ceil(width / stride), Math.ceil(height / stride), channels);
  let target = 0;
  for (let y = 0; y < output.height; y++) {
    for (let x = 0; x < output.width; x++) {
      const left = x * stride;
      const top = y * stride;
      const right = Math.min(left + 1, width - 1);
      const bottom = Math.min(top + 1, height - 1);
      const corners = [
        (top * width + left) * channels,
        (top * width + right) * channels,
        (bottom * width + left) * channels,
        (bottom * width + right) * channels,
      ] as const;
      for (let channel = 0; channel < channels; channel++) {
        output.values[target++] = Math.max(
          values[corners[0] + channel] ?? 0,
          values[corners[1] + channel] ?? 0,
          values[corners[2] + channel] ?? 0,
          values[corners[3] + channel] ?? 0,
        );
      }
    }
  }
  return output;
}
