import { copyFileSync, mkdtempSync } from "node:fs";
import { findOperation } from "#lib/operations/index.ts";
import { WorkFolder } from "#lib/engines/work-folder.ts";
import { mediaType } from "#lib/media/types.ts";
import { warmImagePool, closeImagePool } from "#lib/engines/image-pool.ts";
await warmImagePool();
const [id, path, typeId, out, params, markPath, markType] = process.argv.slice(2);
const op = findOperation(id!)!;
const place = (work, path, typeId) => { const type = mediaType(typeId as any); const input = work.input(type.extension); copyFileSync(path, input.path); return {...input, type, bytes: 1, filename: "x"}; };
const work = WorkFolder.create(mkdtempSync("/tmp/ffv/w"));
const input = place(work, path, typeId);
const files = markPath ? { watermark: place(work, markPath, markType) } : {};
const t = performance.now(); let last = -1; let n = 0;
try { 
 const r = await op.run({ input, files, params: op.params.parse(JSON.parse(params!)), work, signal: new AbortController().signal, progress: (p) => { last = p; n++ } });
 const {path, ...o} = r.outputs[0] as any; console.log(JSON.stringify(o), "progress", n, last); copyFileSync(path, out!);
} catch (e: any) { console.log(e.message, e.code, e.cause?.stderrTail ?? e.stderrTail ?? e) }
console.log(Math.round(performance.now() - t), "ms");
await closeImagePool();
