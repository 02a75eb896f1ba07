import { invalidUrl } from "../plan/errors.ts";
import type { PictureFormat } from "../plan/plan.ts";
import { formatNames, parseSourceFormat } from "./formats.ts";
import { decodeBase64, parseBoolean, parseInteger } from "./numbers.ts";
import { type Apply, atMost, field } from "./option.ts";

/** The options about the file that is written, and about its response. */

export const formatQuality: Apply = (state, args) => {
  if (args.length % 2 !== 0) throw invalidUrl("format_quality has pairs of format and quality");
  const qualities: Partial<Record<PictureFormat, number>> = { ...state.plan.formatQuality };
  for (let index = 0; index < args.length; index += 2) {
    const format = parseSourceFormat(args[index] ?? "");
    const quality = parseInteger("format_quality", args[index + 1] ?? "", 0, 100);
    if (Object.hasOwn(formatNames, format)) qualities[format as PictureFormat] = quality;
  }
  state.plan = { ...state.plan, formatQuality: qualities };
};

export const skipProcessing: Apply = (state, args) => {
  const formats = [...state.plan.skipProcessing, ...args.map(parseSourceFormat)];
  state.plan = { ...state.plan, skipProcessing: [...new Set(formats)] };
};

export const cacheBuster = field("cachebuster", (text) => ({ cacheBuster: text }));

export const filename: Apply = (state, args) => {
  atMost("filename", args, 2);
  const [text, isEncoded] = args;
  const name = parseBoolean(isEncoded ?? "") ? decodeBase64("filename", text) : text;
  state.delivery = { ...state.delivery, filename: name };
};

export const expires: Apply = (state, args) => {
  atMost("expires", args, 1);
  const time = parseInteger("expires", args[0], -1e12, 1e12);
  if (time > 0 && time < Math.floor(Date.now() / 1000)) throw invalidUrl("it has expired");
  state.delivery = { ...state.delivery, expires: Math.max(0, time) };
};

export const attachment: Apply = (state, args) => {
  atMost("return_attachment", args, 1);
  state.delivery = { ...state.delivery, isAttachment: parseBoolean(args[0]) };
};
