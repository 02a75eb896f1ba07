import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import type { Job } from "#lib/jobs/view/job.ts";

const run = promisify(execFile);

/** A request that creates a job, and a check that its output is complete. */
export interface FaultInput {
  readonly operation: string;
  readonly form: Record<string, string | File>;
  /** Describes what is wrong with the job's first output, stored at `path`; undefined if it is correct. */
  check(job: Job, path: string): Promise<string | undefined>;
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Inspects a text file at a URL. The result contains the hash of the fetched file. */
export function createTextInput(folder: string, url: string): FaultInput {
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

/** Converts a second of noise to FLAC. Decoded, it equals the input sample by sample. */
export function createAudioInput(): FaultInput {
  const samples = randomBytes(44_100 * 2);
  return {
    operation: "audio/convert",
    form: { format: "flac", file: new File([wavHeader(samples.length), samples], "noise.wav") },
    async check(_job, path) {
      const raw = ["-v", "error", "-nostdin", "-i", path, "-f", "s16le", "-"];
      const { stdout } = await run("ffmpeg", raw, { encoding: "buffer", maxBuffer: 2 ** 24 });
      return sha256(stdout) === sha256(samples) ? undefined : "its decoded samples differ";
    },
  };
}

/** Header of a WAV file with one channel, 16 bits, 44.1 kHz. */
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
