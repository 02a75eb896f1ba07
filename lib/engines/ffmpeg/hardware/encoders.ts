/** Hardware encoders of ffmpeg, and how a command for software encoders is rewritten for them. */

/** The kinds of encoders, in the order in which `FFMPEG_HWACCEL=auto` tries them. */
export const hardwareKinds = ["nvenc", "qsv", "vaapi"] as const;
export type HardwareKind = (typeof hardwareKinds)[number];

interface HardwareEncoding {
  /** Devices that the sandbox must contain; those that do not exist are left out. */
  readonly devices: readonly string[];
  /** What else the driver reads. */
  readonly readable: readonly string[];
  /** The arguments before the first input. */
  readonly globalArguments: readonly string[];
  /** The filter at the end of those of the video stream, which moves frames to the device. */
  readonly upload?: string;
  /** The encoder that replaces a software encoder. */
  readonly encoders: Readonly<Partial<Record<string, string>>>;
  /** Options for the quality that x264 has with this CRF. */
  readonly quality: (crf: number) => readonly string[];
}

const renderDevice = "/dev/dri/renderD128";
const drm = { devices: ["/dev/dri"], readable: ["/sys/dev/char", "/sys/devices"] };

export const hardwareEncodings: Readonly<Record<HardwareKind, HardwareEncoding>> = {
  nvenc: {
    devices: ["/dev/nvidia0", "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-modeset"],
    readable: [],
    globalArguments: [],
    encoders: { libx264: "h264_nvenc", libx265: "hevc_nvenc" },
    quality: (crf) => ["-preset", "p4", "-rc", "vbr", "-cq", `${crf}`, "-b:v", "0"],
  },
  qsv: {
    ...drm,
    globalArguments: ["-init_hw_device", `qsv=hw,child_device=${renderDevice}`],
    encoders: { libx264: "h264_qsv", libx265: "hevc_qsv" },
    quality: (crf) => ["-preset", "veryfast", "-global_quality", `${crf}`],
  },
  vaapi: {
    ...drm,
    globalArguments: ["-vaapi_device", renderDevice],
    upload: "format=nv12|p010,hwupload",
    encoders: { libx264: "h264_vaapi", libx265: "hevc_vaapi" },
    quality: (crf) => ["-rc_mode", "CQP", "-qp", `${crf}`],
  },
};

/** Options of the software encoders that the hardware ones do not have. */
const softwareOptions = new Set(["-preset", "-crf", "-x265-params", "-tune"]);

/**
 * Options that hardware encoders would not meet: an exact size in two passes, no loss, or parameter
 * sets of their own.
 */
const exactOptions = new Set(["-pass", "-b:v", "-b:v:0", "-maxrate", "-qp", "-x264-params"]);

/**
 * The arguments of ffmpeg with the hardware encoders of `kind` in place of software encoders.
 * Undefined if it encodes nothing that the hardware can encode, or in a way that only software can.
 */
export function toHardwareArguments(
  args: readonly string[],
  kind: HardwareKind,
): readonly string[] | undefined {
  const { encoders, quality, upload, globalArguments } = hardwareEncodings[kind];
  const at = args.findIndex(
    (option, index) => option === "-c:v:0" && encoders[args[index + 1] ?? ""],
  );
  const encoder = encoders[args[at + 1] ?? ""];
  if (at < 0 || !encoder || args.some((option) => exactOptions.has(option))) return undefined;
  const unreachable = ["-filter_complex", "-filter_script:v:0"];
  if (upload && args.some((option) => unreachable.includes(option))) return undefined;
  const crf = Number(args[args.indexOf("-crf") + 1]);
  if (!args.includes("-crf") || !Number.isFinite(crf)) return undefined;
  const rewritten: string[] = [];
  let hasFilter = false;
  for (let index = 0; index < args.length; index++) {
    const option = args[index] ?? "";
    const value = args[index + 1] ?? "";
    if (index === at) {
      rewritten.push(option, encoder, ...quality(crf));
      index++;
    } else if (softwareOptions.has(option)) {
      index++;
    } else if (upload && option === "-filter:v:0") {
      rewritten.push(option, `${value},${upload}`);
      hasFilter = true;
      index++;
    } else rewritten.push(option);
  }
  if (upload && !hasFilter) {
    const place = rewritten.indexOf(encoder) - 1;
    rewritten.splice(place, 0, "-filter:v:0", upload);
  }
  return [...globalArguments, ...rewritten];
}
