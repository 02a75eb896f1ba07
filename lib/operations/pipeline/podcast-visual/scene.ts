/** What the video of a podcast shows, and where. All sizes are in pixels. */

export const waveStyles = ["bars", "line", "circle"] as const;

export type WaveStyle = (typeof waveStyles)[number];

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

export interface SceneOptions extends Size {
  readonly style: WaveStyle;
  /** The background color in hex; by default the blurred picture, or a dark gradient. */
  readonly background?: string | undefined;
  readonly title?: string | undefined;
  readonly subtitle?: string | undefined;
}

/** Where the parts of a scene are. */
export interface SceneLayout {
  readonly picture?: Box | undefined;
  /** Top left corners of the lines of text. */
  readonly text: readonly { readonly left: number; readonly top: number }[];
  /** Where the audio moves. */
  readonly wave: Box;
}

/** The room for text, before it is drawn. */
export interface TextRoom {
  readonly width: number;
  readonly align: "left" | "center";
  readonly titleSize: number;
  readonly subtitleSize: number;
}

const even = (value: number) => 2 * Math.round(value / 2);

const isLandscape = ({ width, height }: Size) => width >= height * 1.2;

/** In a landscape frame with a picture or a circle, the text is at the right of it. */
function isSideBySide(scene: SceneOptions, hasPicture: boolean): boolean {
  return isLandscape(scene) && (hasPicture || scene.style === "circle");
}

function pictureSide({ width, height, style }: SceneOptions): number {
  const share = isLandscape({ width, height }) ? 0.54 : 0.46;
  const fits = Math.min(height * share, width * (width > height ? 0.36 : 0.7));
  // The circle is around the picture.
  return even(style === "circle" ? fits * 0.72 : fits);
}

/** How long the bars of a circle are, as a share of the picture's side. */
const circleShare = 0.34;

export function roomForText(scene: SceneOptions, hasPicture: boolean): TextRoom {
  const { width, height } = scene;
  const short = Math.min(width, height);
  const sizes = { titleSize: short * 0.07, subtitleSize: short * 0.042 };
  if (!isSideBySide(scene, hasPicture)) return { width: width * 0.84, align: "center", ...sizes };
  const { right } = sideColumns(scene);
  return { width: right.width, align: "left", ...sizes };
}

/** The columns of a landscape frame: the picture, with a circle around it, and text. */
function sideColumns(scene: SceneOptions) {
  const { width, style } = scene;
  const side = pictureSide(scene);
  const outer = style === "circle" ? side * (1 + 2 * circleShare) : side;
  const margin = width * 0.085;
  const gap = width * 0.055;
  const left = margin + outer + gap;
  return { side, outer, margin, right: { left, width: width - margin - left } };
}

/** Lays out a scene with texts of the given sizes. */
export function layOutScene(
  scene: SceneOptions,
  hasPicture: boolean,
  texts: readonly Size[],
): SceneLayout {
  if (scene.style === "circle") return layOutCircle(scene, texts);
  return isSideBySide(scene, hasPicture)
    ? layOutColumns(scene, texts)
    : layOutStack(scene, hasPicture, texts);
}

const lineGap = ({ width, height }: Size) => Math.min(width, height) * 0.028;

const heightOf = (texts: readonly Size[], gap: number) =>
  texts.reduce((sum, { height }) => sum + height, 0) + Math.max(0, texts.length - 1) * gap;

function placeTexts(
  texts: readonly Size[],
  gap: number,
  top: number,
  leftOf: (text: Size) => number,
) {
  let y = top;
  return texts.map((text) => {
    const at = { left: Math.round(leftOf(text)), top: Math.round(y) };
    y += text.height + gap;
    return at;
  });
}

function evenBox(left: number, top: number, width: number, height: number): Box {
  return { left: even(left), top: even(top), width: even(width), height: even(height) };
}

function layOutColumns(scene: SceneOptions, texts: readonly Size[]): SceneLayout {
  const { height } = scene;
  const { side, margin, right } = sideColumns(scene);
  const gap = lineGap(scene);
  const waveHeight = texts.length > 0 ? side * 0.42 : side * 0.8;
  const textHeight = heightOf(texts, gap);
  // Text and wave are as high as the picture, if the text is not higher.
  const space = Math.max(side, textHeight + waveHeight + gap);
  const top = (height - space) / 2;
  const waveTop = texts.length > 0 ? top + space - waveHeight : (height - waveHeight) / 2;
  return {
    picture: evenBox(margin, (height - side) / 2, side, side),
    text: placeTexts(texts, gap, top + gap / 2, () => right.left),
    wave: evenBox(right.left, waveTop, right.width, waveHeight),
  };
}

function layOutStack(
  scene: SceneOptions,
  hasPicture: boolean,
  texts: readonly Size[],
): SceneLayout {
  const { width, height } = scene;
  const gap = lineGap(scene);
  const side = hasPicture ? pictureSide(scene) : 0;
  const space = Math.min(width, height) * 0.06;
  const waveHeight = hasPicture
    ? Math.min(height * 0.16, width * 0.3)
    : Math.min(height * 0.4, width * 0.5);
  const textHeight = heightOf(texts, gap);
  const parts = [side, textHeight, waveHeight].filter((part) => part > 0);
  let y = (height - parts.reduce((sum, part) => sum + part, 0) - (parts.length - 1) * space) / 2;
  const picture = hasPicture ? evenBox((width - side) / 2, y, side, side) : undefined;
  if (hasPicture) y += side + space;
  const text = placeTexts(texts, gap, y, (one) => (width - one.width) / 2);
  if (texts.length > 0) y += textHeight + space;
  return { picture, text, wave: evenBox(width * 0.08, y, width * 0.84, waveHeight) };
}

function layOutCircle(scene: SceneOptions, texts: readonly Size[]): SceneLayout {
  const { width, height } = scene;
  const gap = lineGap(scene);
  const { side, outer, margin, right } = sideColumns(scene);
  const textHeight = heightOf(texts, gap);
  const space = Math.min(width, height) * 0.05;
  const isAtSide = isLandscape(scene) && texts.length > 0;
  const isBelow = !isAtSide && texts.length > 0;
  const left = isAtSide ? margin : (width - outer) / 2;
  const top = (height - outer - (isBelow ? textHeight + space : 0)) / 2;
  const inset = (outer - side) / 2;
  const textTop = isAtSide ? (height - textHeight) / 2 : top + outer + space;
  return {
    picture: evenBox(left + inset, top + inset, side, side),
    text: placeTexts(texts, gap, textTop, (text) =>
      isAtSide ? right.left : (width - text.width) / 2,
    ),
    wave: evenBox(left, top, outer, outer),
  };
}
