import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { projectFolder } from "#lib/setup/node24.mjs";
import { startStack } from "#tests/service/stack.ts";
import { type BenchRow, makeRow, timed } from "../report/rows.ts";
import { LiveClient } from "./live-client.ts";

const samples = join(projectFolder, "public/samples/inputs");

interface LiveCase {
  readonly name: string;
  readonly file: "photo" | "video" | "document";
  readonly operation: string;
  /** The parameters of a round: each differs from the one before, as while a slider moves. */
  readonly paramsOf: (round: number) => Record<string, unknown>;
}

const cases: readonly LiveCase[] = [
  {
    name: "image/adjust, 12 megapixels",
    file: "photo",
    operation: "image/adjust",
    paramsOf: (round) => ({ brightness: 0.8 + round / 200 }),
  },
  {
    name: "image/watermark-text, 12 megapixels",
    file: "photo",
    operation: "image/watermark-text",
    paramsOf: (round) => ({ text: `© Example ${round}`, font_size: 100 + round }),
  },
  {
    name: "image/crop, 12 megapixels",
    file: "photo",
    operation: "image/crop",
    paramsOf: (round) => ({ left: 100 + 7 * round, top: 50, width: 2000, height: 1500 }),
  },
  {
    name: "image/convert to WebP, 12 megapixels",
    file: "photo",
    operation: "image/convert",
    paramsOf: (round) => ({ format: "webp", quality: 30 + (round % 60) }),
  },
  {
    name: "video/overlay-text, one frame",
    file: "video",
    operation: "video/overlay-text",
    paramsOf: (round) => ({ text: `Breakfast ${round}`, fontsize: 30 + round }),
  },
  {
    name: "document/watermark-pdf, one page",
    file: "document",
    operation: "document/watermark-pdf",
    paramsOf: (round) => ({ text: `Draft ${round}`, opacity: 0.2 + round / 100 }),
  },
];

const rounds = { photo: 100, video: 40, document: 40 } as const;
const targets = { photo: 100, video: 400, document: 400 } as const;

/** From a change in the playground to the picture, over HTTP, one change after the other. */
export default {
  title: "live preview",
  async run(): Promise<BenchRow[]> {
    const stack = await startStack();
    try {
      const client = await LiveClient.signIn(stack);
      const photo = await sharp(join(samples, "photo.jpg")).resize(4240).jpeg().toBuffer();
      const files = {
        photo: ["photo.jpg", photo],
        video: ["video.mp4", await readFile(join(samples, "video.mp4"))],
        document: ["brochure.pdf", await readFile(join(samples, "brochure.pdf"))],
      } as const;
      const rows: BenchRow[] = [];
      for (const { name, file, operation, paramsOf } of cases) {
        const [filename, bytes] = files[file];
        const upload = await client.upload(filename, bytes);
        const show = (round: number) => client.preview(operation, upload, paramsOf(round));
        const first = await timed(() => show(0));
        const times: number[] = [];
        const engine: number[] = [];
        for (let round = 1; round <= rounds[file]; round++) {
          const shown = await timed(async () => engine.push((await show(round)).engine_ms));
          times.push(shown.value);
        }
        rows.push(
          makeRow(name, "service", "ms", times, { target: { max: targets[file], of: "p95" } }),
          makeRow(name, "the operation alone", "ms", engine),
          makeRow(name, "first one, with the proxy", "ms", first.value),
        );
      }
      return rows;
    } finally {
      await stack.stop();
    }
  },
};
