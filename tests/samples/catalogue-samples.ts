import { writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import sharp from "sharp";
import { type MediaTypeId, mediaTypeOfExtension } from "#lib/media/types.ts";
import { acceptsType, type Operation } from "#lib/operations/define.ts";
import type { Sample } from "../support/operation.ts";
import { makeAudio } from "./audio.ts";
import { makeDocx } from "./office/word.ts";
import { h264, makeVideo, testPattern, tone, videoFolder } from "./videos.ts";

/** Makes small inputs that `operation` accepts, the first also as `input`, and a file for each of its file parts. */
export async function makeOperationSamples(
  operation: Operation,
): Promise<{ input: Sample; inputs: Sample[]; files: Record<string, Sample> }> {
  const { sample } = operation;
  const types = needsShippedSample.has(operation.id) ? [] : madeTypes;
  const inputs = await Promise.all(
    sample.inputs.map((name) => makeFileFor(operation, name, types)),
  );
  const files: Record<string, Sample> = {};
  for (const [part, file] of Object.entries(operation.files ?? {})) {
    // An optional file may exclude a parameter of the example.
    if (!file.required && sample.files[part] === undefined) continue;
    files[part] = await makeFileFor(file, sample.files[part] ?? "", ["png", ...madeTypes]);
  }
  // Operations without a file are run with `inputs` alone.
  return { input: inputs[0] as Sample, inputs, files };
}

/** Operations that need more of a file than those that can be made have, or a certain type first. */
const needsShippedSample = new Set(["document/attach-files", "video/extract-subtitles"]);

/** The types of files that can be made, in order of preference. */
const madeTypes: readonly MediaTypeId[] = ["jpeg", "html", "docx", "mp4", "mp3"];

/** Makes a file of the first accepted type; if there is none, returns the sample file of the site. */
function makeFileFor(
  accepting: { readonly accepts: readonly MediaTypeId[] },
  shipped: string,
  types = madeTypes,
): Promise<Sample> | Sample {
  const type = types.find((one) => acceptsType(accepting, one));
  if (type) return makeSample(type);
  const path = join(import.meta.dirname, "../../public/samples/inputs", shipped);
  return { path, type: mediaTypeOfExtension(extname(shipped).slice(1)).id };
}

const made = new Map<MediaTypeId, Promise<Sample>>();

/** Makes a small file of `type`, one of `madeTypes`, once per process. It must not be changed. */
export function makeSample(type: MediaTypeId): Promise<Sample> {
  const sample = made.get(type) ?? writeSample(type);
  made.set(type, sample);
  return sample;
}

async function writeSample(type: MediaTypeId): Promise<Sample> {
  if (type === "mp4") return { path: makeSmallVideo(), type };
  if (type === "mp3") return makeAudio("mp3");
  const path = join(videoFolder(), `catalogue.${type}`);
  writeFileSync(path, await bytesOf(type));
  return { path, type };
}

/** Makes an MP4 of 2 s, 160 × 90, 10 frames/s, H.264 and AAC: long enough for every example. */
function makeSmallVideo(): string {
  const pattern = testPattern("size=160x90:rate=10:duration=2");
  return makeVideo("mp4", ...pattern, ...tone(), ...h264, "-c:a", "aac");
}

async function bytesOf(type: MediaTypeId): Promise<Uint8Array | string> {
  if (type === "docx") return makeDocx(["Hello from Word"]);
  if (type === "html") return "<!doctype html><h1>Hello</h1>";
  const image = sharp({ create: { width: 120, height: 80, channels: 3, background: "#3a7" } });
  return type === "png" ? image.png().toBuffer() : image.jpeg().toBuffer();
}
