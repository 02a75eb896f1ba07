import { existsSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { canEncode } from "#lib/engines/ffmpeg/hardware/detect.ts";
import { toHardwareArguments } from "#lib/engines/ffmpeg/hardware/encoders.ts";
import { wrapInSandbox } from "#lib/engines/sandbox/bubblewrap/arguments.ts";
import { framerate } from "#lib/operations/video/framerate/index.ts";
import { sampleVideo, streamsOf } from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

const x264 = ["-c:v:0", "libx264", "-preset", "veryfast", "-crf", "18"];
const input = ["-i", "file:in/0.mp4"];
const output = ["-f", "mp4", "file:out/0.mp4"];

describe("the arguments of a software encoder become those of", () => {
  test("nvenc", () => {
    expect(
      toHardwareArguments([...input, ...x264, "-filter:v:0", "fps=5", ...output], "nvenc"),
    ).toEqual([
      ...input,
      "-c:v:0",
      "h264_nvenc",
      "-preset",
      "p4",
      "-rc",
      "vbr",
      "-cq",
      "18",
      "-b:v",
      "0",
      "-filter:v:0",
      "fps=5",
      ...output,
    ]);
  });

  test("qsv", () => {
    const args = toHardwareArguments([...input, ...x264, ...output], "qsv");
    expect(args?.slice(0, 2)).toEqual([
      "-init_hw_device",
      "qsv=hw,child_device=/dev/dri/renderD128",
    ]);
    expect(args).toContain("h264_qsv");
    expect(args).not.toContain("-crf");
  });

  test.each([
    ["a filter", ["-filter:v:0", "fps=5"], "fps=5,format=nv12|p010,hwupload"],
    ["no filter", [], "format=nv12|p010,hwupload"],
  ])("vaapi, which gets its frames by %s", (_, filter, expected) => {
    const args = toHardwareArguments([...input, ...x264, ...filter, ...output], "vaapi") ?? [];
    expect(args[args.indexOf("-filter:v:0") + 1]).toBe(expected);
    expect(args.filter((option) => option === "-filter:v:0")).toHaveLength(1);
    expect(args.slice(0, 2)).toEqual(["-vaapi_device", "/dev/dri/renderD128"]);
  });
});

describe("stays in software:", () => {
  test.each([
    ["two passes", [...x264, "-pass", "1"]],
    ["a bit rate", [...x264, "-b:v", "500k"]],
    ["a codec that the hardware does not have", ["-c:v:0", "libvpx-vp9", "-crf", "30"]],
    ["a stream copy", ["-c", "copy"]],
    ["no quality", ["-c:v:0", "libx264"]],
  ])("%s", (_, args) => {
    expect(toHardwareArguments([...input, ...args, ...output], "nvenc")).toBeUndefined();
  });

  test("a filter graph whose end vaapi cannot reach", () => {
    const args = [...input, "-filter_complex", "[0:v][1:v]overlay[v]", ...x264, ...output];
    expect(toHardwareArguments(args, "vaapi")).toBeUndefined();
    expect(toHardwareArguments(args, "nvenc")).toBeDefined();
  });
});

test("the sandbox has the devices and nothing else of /dev", () => {
  const view = { folder: "/work", devices: ["/dev/dri"] };
  const { args } = wrapInSandbox({ command: "ffmpeg", args: [] }, view, { info: 3, filter: 4 });
  const at = args.indexOf("--dev-bind-try");
  expect(args.slice(at, at + 3)).toEqual(["--dev-bind-try", "/dev/dri", "/dev/dri"]);
  expect(at).toBeGreaterThan(args.indexOf("--dev"));
  expect(at).toBeLessThan(args.lastIndexOf("--remount-ro"));
});

describe("on a machine without the hardware", () => {
  afterEach(() => {
    vi.resetModules();
    vi.doUnmock("#lib/engines/ffmpeg/hardware/detect.ts");
  });

  test("detection says so", async () => {
    expect(await canEncode("nvenc")).toBe(existsSync("/dev/nvidiactl"));
  });

  test("a job is encoded in software after all", async () => {
    // As if the device had vanished after the start.
    vi.doMock("#lib/engines/ffmpeg/hardware/detect.ts", () => ({
      hardware: async () => "nvenc",
      accessOf: () => ({ devices: [], readable: [] }),
    }));
    vi.resetModules();
    const { framerate: again } = await import("#lib/operations/video/framerate/index.ts");
    expect(again.id).toBe(framerate.id);
    const { outputs } = await runOperation(again, { path: sampleVideo(), type: "mp4" }, { fps: 5 });
    const [video] = streamsOf(outputs[0]?.path ?? "", "video");
    expect(video).toMatchObject({ codec_name: "h264", avg_frame_rate: "5/1" });
  });
});
