import { loadSharp, translateVipsErrors } from "#lib/engines/image/open.ts";
import { rasterizeText, type TextRaster } from "#lib/engines/image/rasterize-text.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { parseColor } from "#lib/media/color.ts";
import { type Box, layOutScene, roomForText, type SceneOptions, type Size } from "./scene.ts";
import { mapWave, oversampling, spectrum } from "./wave-map.ts";

/**
 * Draws what does not move in the video of a podcast, with the first of `files` as its picture, if there
 * is one. The outputs are the scene and the two maps of the wave; the result is the wave's box.
 */
export const drawScene = async ({ files, options, work }: WorkerCall<SceneOptions>) => {
  const [picture] = files;
  const isDark = hasDarkBackground(options);
  const texts = await drawTexts(options, picture !== undefined, isDark);
  const layout = layOutScene(options, picture !== undefined, texts);
  const sharp = await loadSharp();
  const overlays: Overlay[] = [];
  if (picture && layout.picture) {
    overlays.push(...(await drawPicture(picture, layout.picture, options.style === "circle")));
  }
  for (const [index, text] of texts.entries()) {
    const { data, width, height } = text;
    const at = layout.text[index] ?? { left: 0, top: 0 };
    overlays.push({ ...at, input: data, raw: { width, height, channels: 4 } });
  }
  const background = await drawBackground(options, picture);
  const scene = work.output("png");
  const { width, height } = options;
  await sharp(background, { raw: { width, height, channels: 3 } })
    .composite(overlays.map((overlay) => ({ ...overlay })))
    .removeAlpha()
    .png({ compressionLevel: 1 })
    .toFile(scene.path);
  const maps = await writeMaps(options, layout.wave, work);
  return { outputs: [scene, ...maps], result: { ...layout.wave, isDark } };
};

type Overlay = { left: number; top: number; input: Buffer } & {
  raw?: Size & { channels: 4 };
};

/** A picture is darkened before it becomes the background. */
function hasDarkBackground({ background }: SceneOptions): boolean {
  if (background === undefined) return true;
  const { red, green, blue } = parseColor(background);
  return 0.299 * red + 0.587 * green + 0.114 * blue < 150;
}

async function drawTexts(
  { title, subtitle, ...scene }: SceneOptions,
  hasPicture: boolean,
  isDark: boolean,
): Promise<TextRaster[]> {
  const room = roomForText(scene, hasPicture);
  const common = { color: isDark ? "#ffffff" : "#111827", align: room.align };
  const lines = [
    { text: title, fontSize: room.titleSize, opacity: 1, lines: 3 },
    { text: subtitle, fontSize: room.subtitleSize, opacity: 0.72, lines: 2 },
  ];
  const drawn: TextRaster[] = [];
  for (const { text, fontSize, opacity, lines: count } of lines) {
    if (!text) continue;
    const box = { maxWidth: room.width, maxHeight: fontSize * 1.45 * count };
    const raster = await rasterizeText({ ...common, ...box, text, fontSize, opacity });
    if (raster) drawn.push(raster);
  }
  return drawn;
}

async function drawBackground(scene: SceneOptions, picture?: WorkFile): Promise<Buffer> {
  const sharp = await loadSharp();
  const { width, height, background } = scene;
  if (background !== undefined) {
    const { red, green, blue } = parseColor(background);
    return Buffer.alloc(width * height * 3, Buffer.from([red, green, blue]));
  }
  if (!picture) {
    const gradient = `<linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#273469"/><stop offset="1" stop-color="#0d1020"/></linearGradient>`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>${gradient}</defs><rect width="${width}" height="${height}" fill="url(#g)"/></svg>`;
    return sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer();
  }
  // Blurred in a small size, which is faster and looks the same.
  const small = { width: Math.ceil(width / 8), height: Math.ceil(height / 8) };
  const blurred = await translateVipsErrors(
    sharp(picture.path)
      .resize({ ...small, fit: "cover" })
      .flatten({ background: "#202430" })
      .blur(Math.max(1, Math.min(small.width, small.height) / 9))
      .modulate({ brightness: 0.5, saturation: 1.2 })
      .toColorspace("srgb")
      .removeAlpha()
      .raw()
      .toBuffer(),
  );
  return sharp(blurred, { raw: { ...small, channels: 3 } })
    .resize({ width, height, fit: "fill", kernel: "cubic" })
    .blur(4)
    .linear(0.85, 0)
    .toColorspace("srgb")
    .raw()
    .toBuffer();
}

/** The picture, cut to a square with round corners or to a circle, on a soft shadow. */
async function drawPicture(file: WorkFile, box: Box, isRound: boolean): Promise<Overlay[]> {
  const sharp = await loadSharp();
  const { left, top, width: side } = box;
  const radius = isRound ? side / 2 : Math.round(side * 0.045);
  const shape = (color: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><rect width="${side}" height="${side}" rx="${radius}" fill="${color}"/></svg>`;
  const whole = sharp(file.path).resize({ width: side, height: side, fit: "cover" }).ensureAlpha();
  const raw = { width: side, height: side, channels: 4 } as const;
  const square = await translateVipsErrors(whole.toColorspace("srgb").raw().toBuffer());
  const mask = { input: Buffer.from(shape("#fff")), blend: "dest-in" } as const;
  const cut = await sharp(square, { raw }).composite([mask]).raw().toBuffer();
  const picture = { input: cut, raw, left, top };
  if (isRound) return [picture];
  const spread = Math.round(side * 0.06);
  const at = { left: left - spread, top: top - spread + Math.round(spread * 0.35) };
  if (at.left < 0 || at.top < 0) return [picture];
  const shadow = await sharp(Buffer.from(shape("rgba(0,0,0,0.45)")))
    .extend({ top: spread, left: spread, right: spread, bottom: spread, background: "#0000" })
    .blur(Math.max(0.5, spread / 2))
    .raw()
    .toBuffer();
  const shadowSide = side + 2 * spread;
  return [
    { input: shadow, raw: { width: shadowSide, height: shadowSide, channels: 4 }, ...at },
    picture,
  ];
}

/** The columns and the rows of a map, as images with 16 bits. */
async function writeMaps(scene: SceneOptions, wave: Box, work: WorkFolder): Promise<WorkFile[]> {
  const sharp = await loadSharp();
  const lineDrawing = { width: wave.width * oversampling, height: wave.height * oversampling };
  const drawing = scene.style === "line" ? lineDrawing : spectrum;
  const { columns, rows, width, height } = mapWave(scene.style, wave, drawing);
  const files: WorkFile[] = [];
  for (const values of [columns, rows]) {
    const file = work.output("png");
    await sharp(values, { raw: { width, height, channels: 1 } })
      .toColorspace("grey16")
      .png({ compressionLevel: 1 })
      .toFile(file.path);
    files.push(file);
  }
  return files;
}
