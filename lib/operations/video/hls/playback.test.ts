import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { expect, onTestFinished, test } from "vitest";
import { hls } from "#lib/operations/video/hls/index.ts";
import { h264, makeVideo, testPattern, tone } from "#tests/samples/videos.ts";
import { launchOptions } from "#tests/support/chromium.ts";
import { runOperation } from "#tests/support/operation.ts";

const player = join(import.meta.dirname, "../../../../node_modules/hls.js/dist/hls.min.js");

/** Serves the files of a folder, the player's library and a page with a video element. */
async function serve(folder: string): Promise<string> {
  const server = createServer(({ url = "/" }, response) => {
    const path = url.split("?")[0] ?? "/";
    if (path === "/") {
      response.writeHead(200, { "content-type": "text/html" });
      return void response.end("<!doctype html><video muted></video><script src=/hls.js></script>");
    }
    try {
      response.end(readFileSync(path === "/hls.js" ? player : join(folder, path)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function unpack(params: Record<string, unknown>): Promise<string> {
  const source = ["size=640x360:rate=25:duration=4"] as const;
  const path = makeVideo("mp4", ...testPattern(...source), ...tone(4), ...h264, "-c:a", "aac");
  const { outputs } = await runOperation(hls, { path, type: "mp4" }, params);
  const folder = mkdtempSync(join(tmpdir(), "mediamill-playback-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  execFileSync("python3", ["-m", "zipfile", "-e", outputs[0]?.path ?? "", folder]);
  return folder;
}

/** What hls.js reports in the page of `serve`. */
interface Playback {
  readonly errors: readonly string[];
  readonly levels: number;
  /** Height of the decoded video by level. */
  readonly heights: readonly number[];
  readonly duration: number;
  readonly playedTo: number;
}

test.each([
  ["", {}],
  [" with AES-128", { encryption_key: "00112233445566778899aabbccddeeff" }],
])("Chromium plays every rendition%s to its end, without a fatal error", async (_, params) => {
  const folder = await unpack({ heights: "360,180", segment: 2, ...params });
  const url = await serve(folder);
  const browser = await chromium.launch(launchOptions);
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(url);
  const played = await page.evaluate(async (): Promise<Playback> => {
    // The library has no types in the page.
    // biome-ignore lint/suspicious/noExplicitAny: hls.js sets a global
    const Hls = (globalThis as any).Hls;
    const video = document.querySelector("video") as HTMLVideoElement;
    const errors: string[] = [];
    const heights: number[] = [];
    let levels = 1;
    let duration = 0;
    let playedTo = 0;
    for (let level = 0; level < levels; level++) {
      const hls = new Hls({ startLevel: level, autoStartLoad: true });
      // Others are notes: that playback begins at the first frame, which is shown after it is decoded.
      hls.on(Hls.Events.ERROR, (_event: string, error: { details: string; fatal: boolean }) => {
        if (error.fatal) errors.push(error.details);
      });
      hls.loadSource("/master.m3u8");
      hls.attachMedia(video);
      await new Promise((resolve) => hls.once(Hls.Events.MANIFEST_PARSED, resolve));
      levels = hls.levels.length;
      hls.loadLevel = level;
      video.playbackRate = 4;
      await video.play();
      await new Promise<void>((resolve) => {
        video.onended = () => resolve();
        video.onerror = () => resolve();
        setTimeout(resolve, 30_000);
      });
      heights.push(video.videoHeight);
      duration = video.duration;
      playedTo = video.currentTime;
      hls.destroy();
    }
    return { errors, levels, heights, duration, playedTo };
  });
  expect(played.errors).toEqual([]);
  expect(played.levels).toBe(2);
  expect(played.heights.toSorted((one, other) => one - other)).toEqual([180, 360]);
  expect(Math.abs(played.duration - 4)).toBeLessThan(0.1);
  expect(played.playedTo).toBeGreaterThan(3.8);
});
