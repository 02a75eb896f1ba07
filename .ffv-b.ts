import { copyFileSync, mkdtempSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { findOperation } from "#lib/operations/index.ts";
import { WorkFolder } from "#lib/engines/work-folder.ts";
import { mediaType } from "#lib/media/types.ts";
import { probe } from "#lib/engines/ffprobe.ts";
import { warmImagePool, closeImagePool } from "#lib/engines/image-pool.ts";
await warmImagePool();
const op = findOperation("video/overlay-text")!;
const type = mediaType("mp4");
for (let i = 0; i < 6; i++) {
  const work = WorkFolder.create(mkdtempSync("/tmp/ffv/w"));
  const input = { ...work.input("mp4"), type, bytes: 1, filename: "x" };
  copyFileSync("/tmp/ffv/a.mp4", input.path);
  let t = performance.now();
  await op.run({ input, files: {}, params: op.params.parse({ text: "Hello world" }), work, signal: new AbortController().signal, progress: () => {} });
  const ours = performance.now() - t; t = performance.now();
  await probe(input, work, new AbortController().signal);
  const probing = performance.now() - t; t = performance.now();
  execFileSync("ffmpeg", "-v error -nostdin -y -i a.mp4 -i red.png -filter_complex overlay=20:30 -c:v libx264 -preset veryfast -crf 18 -c:a copy -movflags +faststart bare.mp4".split(" "), { cwd: "/tmp/ffv" });
  console.log("ours", Math.round(ours), "probe", Math.round(probing), "bare", Math.round(performance.now() - t));
}
await closeImagePool();
