import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import type { Job } from "#lib/jobs/view/job.ts";

const run = promisify(execFile);

/** A request that makes a job, and how its output is told to be whole. */
export interface FaultInput {
  readonly operation: string;
  readonly form: Record<string, string | File>;
  /** What is wrong with the job's first output, stored at `path`; undefined where nothing is. */
  check(job: Job, path: string): Promise<string | undefined>;
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** A text at an address, which is inspected: the result tells the hash of what was fetched. */
export function textAt(folder: string, url: string): FaultInput {
  const name = `${randomBytes(6).toString("hex")}.txt`;
  const text = `${name}\n`.repeat(200);
  writeFileSync(join(folder, name), text);
  return {
    operation: "pipeline/file-inspect",
    form: { input: `${url}/${name}` },
    async check(job, path) {
      const stored: unknown = JSON.parse(readFileSync(path, "utf8"));
      if (!isDeepStrictEqual(stored, job.result)) return "the file is not the result";
      const wanted = sha256(Buffer.from(text));
      return job.result?.sha256 === wanted ? undefined : "another file was inspected";
    },
  };
}

/** A second of sound that becomes FLAC: decoded, it is the same to the sample. */
export function sound(): FaultInput {
  const samples = randomBytes(44_100 * 2);
  return {
    operation: "audio/convert",
    form: { format: "flac", file: new File([wavHeader(samples.length), samples], "sound.wav") },
    async check(_job, path) {
      const raw = ["-v", "error", "-nostdin", "-i", path, "-f", "s16le", "-"];
      const { stdout } = await run("ffmpeg", raw, { encoding: "buffer", maxBuffer: 2 ** 24 });
      return sha256(stdout) === sha256(samples) ? undefined : "it sounds different";
    },
  };
}

/** Of one channel of 16 bits at 44.1 kHz. */
function wavHeader(dataBytes: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(36 + dataBytes, 4);
  header.write("WAVEfmt ", 8, "latin1");
  const fields: [bytes: 2 | 4, value: number][] = [
    [4, 16],
    [2, 1],
    [2, 1],
    [4, 44_100],
    [4, 88_200],
    [2, 2],
    [2, 16],
  ];
  let at = 16;
  for (const [bytes, value] of fields) at = header.writeUIntLE(value, at, bytes);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(dataBytes, 40);
  return new Uint8Array(header);
}
