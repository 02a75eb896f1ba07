import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import { sceneDetect } from "#lib/operations/video/scene-detect/index.ts";
import { h264, makeVideo, sampleVideo, tone } from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

interface Scene {
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

async function detect(path: string, params: Record<string, unknown> = {}): Promise<Scene[]> {
  const type = mediaTypeOfExtension(path.split(".").at(-1) ?? "").id;
  const { outputs, result } = await runOperation(sceneDetect, { path, type }, params);
  expect(JSON.parse(readFileSync(outputs[0]?.path ?? "", "utf8"))).toEqual(result);
  const { scenes } = result as { scenes: Scene[] };
  expect(result?.count).toBe(scenes.length);
  return scenes;
}

/** Scenes of one color and test patterns that change at 1.0, 1.52 and 2.0 s. */
function scenes(extension = "mp4", ...options: string[]): string {
  const source = (name: string, seconds: number) => ["-f", "lavfi", "-t", `${seconds}`, "-i", name];
  const inputs = [
    ...source("testsrc=s=160x90:r=25", 1),
    ...source("color=navy:s=160x90:r=25", 0.52),
    ...source("mandelbrot=s=160x90:r=25", 0.48),
    ...source("color=yellow:s=160x90:r=25", 1),
  ];
  const graph = "[0][1][2][3]concat=n=4,format=yuv420p[v]";
  return makeVideo(
    extension,
    ...inputs,
    "-filter_complex",
    graph,
    "-map",
    "[v]",
    ...h264,
    ...options,
  );
}

describe("the scenes", () => {
  it.each(["mp4", "mkv", "ts"])("begin at the cuts (%s)", async (extension) => {
    const found = await detect(scenes(extension));
    expect(found.map(({ start }) => start)).toEqual([0, 1, 1.52, 2]);
    expect(found.map(({ end }) => end).slice(0, 3)).toEqual([1, 1.52, 2]);
    expect(Math.abs((found[3]?.end ?? 0) - 3)).toBeLessThan(0.05);
    for (const { score } of found.slice(1)) expect(score).toBeGreaterThanOrEqual(0.3);
  });

  it("are those whose score reaches the threshold", async () => {
    const scores = (await detect(scenes())).slice(1).map(({ score }) => score);
    const threshold = (Math.min(...scores) + Math.max(...scores)) / 2;
    const expected = scores.filter((score) => score >= threshold);
    expect(expected.length).toBeLessThan(3);
    const found = await detect(scenes(), { threshold });
    expect(found.slice(1).map(({ score }) => score)).toEqual(expected);
  });

  it("are one if the video has no cut", async () => {
    const [only, ...others] = await detect(sampleVideo());
    expect(others).toEqual([]);
    expect(only?.start).toBe(0);
    expect(Math.abs((only?.end ?? 0) - 2)).toBeLessThan(0.05);
  });
});

it("rejects audio", async () => {
  const path = makeVideo("mp4", ...tone(1), "-c:a", "aac");
  await expect(detect(path)).rejects.toMatchObject({ code: "unsupported_type" });
  expect(sceneDetect.params.safeParse({ threshold: 1.1 }).success).toBe(false);
});
