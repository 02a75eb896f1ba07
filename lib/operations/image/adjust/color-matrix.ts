/** Nine factors, row by row: those of red, green and blue in the new red, then in green and blue. */
export type ColorMatrix = readonly [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

export interface ColorSettings {
  /** The saturation: 0 is gray, 1 does not change it. */
  readonly saturation: number;
  /** The rotation of the hue in degrees. */
  readonly hue: number;
  readonly grayscale: boolean;
  /** The strength of sepia from 0 to 1. */
  readonly sepia: number;
}

/**
 * The matrix of all settings, in their order. Undefined if they change nothing. Each is the matrix of
 * the function in CSS with the same effect (Filter Effects Module Level 1, 8. Filter primitives).
 */
export function buildColorMatrix(settings: ColorSettings): ColorMatrix | undefined {
  const { saturation, hue, grayscale, sepia } = settings;
  const matrices = [
    ...(saturation === 1 ? [] : [saturate(saturation)]),
    ...(hue % 360 === 0 ? [] : [rotateHue((hue * Math.PI) / 180)]),
    ...(grayscale ? [saturate(0)] : []),
    ...(sepia === 0 ? [] : [tint(sepia)]),
  ];
  return matrices.length === 0
    ? undefined
    : matrices.reduce((first, then) => multiply(then, first));
}

function saturate(share: number): ColorMatrix {
  return [
    0.213 + 0.787 * share,
    0.715 - 0.715 * share,
    0.072 - 0.072 * share,
    0.213 - 0.213 * share,
    0.715 + 0.285 * share,
    0.072 - 0.072 * share,
    0.213 - 0.213 * share,
    0.715 - 0.715 * share,
    0.072 + 0.928 * share,
  ];
}

function rotateHue(radians: number): ColorMatrix {
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  return [
    0.213 + cos * 0.787 - sin * 0.213,
    0.715 - cos * 0.715 - sin * 0.715,
    0.072 - cos * 0.072 + sin * 0.928,
    0.213 - cos * 0.213 + sin * 0.143,
    0.715 + cos * 0.285 + sin * 0.14,
    0.072 - cos * 0.072 - sin * 0.283,
    0.213 - cos * 0.213 - sin * 0.787,
    0.715 - cos * 0.715 + sin * 0.715,
    0.072 + cos * 0.928 + sin * 0.072,
  ];
}

function tint(share: number): ColorMatrix {
  const rest = 1 - share;
  return [
    0.393 + 0.607 * rest,
    0.769 - 0.769 * rest,
    0.189 - 0.189 * rest,
    0.349 - 0.349 * rest,
    0.686 + 0.314 * rest,
    0.168 - 0.168 * rest,
    0.272 - 0.272 * rest,
    0.534 - 0.534 * rest,
    0.131 + 0.869 * rest,
  ];
}

/** The matrix of `right`, then of `left`. */
function multiply(left: ColorMatrix, right: ColorMatrix): ColorMatrix {
  const cell = (row: number, column: number) =>
    [0, 1, 2].reduce((sum, i) => sum + (left[row * 3 + i] ?? 0) * (right[i * 3 + column] ?? 0), 0);
  return [
    cell(0, 0),
    cell(0, 1),
    cell(0, 2),
    cell(1, 0),
    cell(1, 1),
    cell(1, 2),
    cell(2, 0),
    cell(2, 1),
    cell(2, 2),
  ];
}
