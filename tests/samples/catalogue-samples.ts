import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import type { MediaTypeId } from "#lib/media/types.ts";
import type { Operation } from "#lib/operations/define.ts";
import type { Sample } from "../support/operation.ts";
import { makeSound } from "./audio.ts";
import { film, videoFolder } from "./videos.ts";
import { makeDocx } from "./word.ts";

/** A small file that the operation takes, and one for each of its file parts. */
export async function samplesFor(
  operation: Operation,
): Promise<{ input: Sample; files: Record<string, Sample> }> {
  const input = await sampleOf(preferred.find((type) => operation.accepts.includes(type)) ?? "txt");
  const files: Record<string, Sample> = {};
  for (const part of Object.keys(operation.files ?? {})) files[part] = await sampleOf("png");
  return { input, files };
}

/** Types of which a sample is made, the most telling first. */
const preferred = ["jpeg", "html", "docx", "mp4", "mp3"] as const satisfies MediaTypeId[];

export async function sampleOf(type: MediaTypeId): Promise<Sample> {
  if (type === "mp4") return { path: film(), type };
  if (type === "mp3") return makeSound("mp3");
  const path = join(videoFolder(), `catalogue.${type}`);
  writeFileSync(path, await bytesOf(type));
  return { path, type };
}

async function bytesOf(type: MediaTypeId): Promise<Uint8Array | string> {
  if (type === "docx") return makeDocx(["Hello from Word"]);
  if (type === "html") return "<!doctype html><h1>Hello</h1>";
  const picture = sharp({ create: { width: 120, height: 80, channels: 3, background: "#3a7" } });
  return type === "png" ? picture.png().toBuffer() : picture.jpeg().toBuffer();
}
