import { convert } from "#lib/operations/audio/convert.ts";
import { WorkFolder } from "#lib/engines/work-folder.ts";
import { mediaType } from "#lib/media/types.ts";
import { copyFileSync, statSync, rmSync } from "node:fs";
import { execFileSync } from "node:child_process";
const fm = ["mp3","aac","m4a","ogg","opus","flac","wav"];
const len = (p: string) => execFileSync("ffmpeg", ["-v","error","-i",p,"-map","0:a:0","-f","f32le","-"], {maxBuffer: 1e9});
for (const a of [...fm, "mp4","webm"]) for (const b of fm) {
  const src = a === "mp4" || a === "webm" ? `/tmp/mm/av/v.${a}` : `/tmp/mm/av/${process.argv[2] ?? "a"}.${a}`;
  const work = WorkFolder.create("/tmp/mm/wc"); await work.empty();
  const f = work.input(a); copyFileSync(src, f.path);
  try {
    const t = performance.now();
    const r = await convert.run({ input: {...f, type: mediaType(a as any), bytes: 1, filename: "x"}, files: {}, params: convert.params.parse({format: b}), work, signal: new AbortController().signal, progress: () => {} });
    const ms = performance.now()-t;
    const o = r.outputs[0]!;
    const pr = (p: string) => JSON.parse(execFileSync("ffprobe", ["-v","error","-of","json","-show_streams","-show_format",p]).toString());
    const si = pr(f.path), so = pr(o.path);
    const as = so.streams.find((s: any) => s.codec_type==="audio"); const ai = si.streams.find((s: any) => s.codec_type==="audio");
    const d1 = len(f.path).length/4/ai.channels/ai.sample_rate, d2 = len(o.path).length/4/as.channels/as.sample_rate;
    console.log(a, b, as.codec_name, as.sample_rate, as.channels, as.sample_fmt, as.bits_per_raw_sample, "diff", ((d2-d1)*1000).toFixed(1), "ms; took", ms.toFixed(0), JSON.stringify({...so.format.tags, ...as.tags}), so.streams.length, o.duration);
  } catch (e) { console.log(a, b, "FAIL", String(e), (e as any).cause?.stderrTail ?? (e as any).stderrTail); }
}
