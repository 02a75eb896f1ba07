import { invalidUrl } from "../plan/errors.ts";
import { defaultPlan, type ImagePlan, type PictureRequest, resizeTypes } from "../plan/plan.ts";
import { parseFormat } from "./formats.ts";
import { decodeBase64 } from "./numbers.ts";
import type { OptionState } from "./option.ts";
import { applyOption } from "./options.ts";

/** The paths of imgproxy's URLs, after their signature. */

/** Options of presets by name, as they are written in a URL. */
export type Presets = ReadonlyMap<string, readonly WrittenOption[]>;

export interface WrittenOption {
  readonly name: string;
  readonly args: readonly [string, ...string[]];
}

export interface ParseSettings {
  readonly presets: Presets;
  /** What applies unless an option says otherwise: that of client hints. */
  readonly defaults?: Partial<ImagePlan> | undefined;
}

/** The longest path, in characters. */
const maxPathLength = 16_384;

/**
 * Parses what follows the signature, without the first slash. Throws `PictureError` for everything that
 * the grammar does not allow. Fetches nothing.
 */
export function parseImgproxyPath(path: string, settings: ParseSettings): PictureRequest {
  if (path.length > maxPathLength) throw invalidUrl("it is too long");
  const restored = restoreSlashes(path);
  const parts = restored.split("/");
  if (resizeTypes.some((type) => type === parts[0]))
    throw invalidUrl("its format is not supported");
  const { options, rest } = splitOptions(parts);
  const state: OptionState = {
    plan: { ...defaultPlan, ...settings.defaults },
    delivery: { isAttachment: false, expires: 0 },
  };
  if (settings.presets.has("default")) applyPresets(state, ["default"], settings.presets, []);
  applyOptions(state, options, settings.presets, []);
  const { source, extension } = decodeSource(rest);
  const { raw } = state.plan;
  if (extension && !raw) state.plan = { ...state.plan, format: parseFormat(extension) };
  return { plan: state.plan, delivery: state.delivery, source, info: null };
}

/** Undoes what browsers, proxies and Next.js do to paths: they merge slashes and encode colons. */
export function restoreSlashes(path: string): string {
  const at = path.startsWith("plain/") ? 0 : path.indexOf("/plain/") + 1;
  if (at === 0 && !path.startsWith("plain/")) return path.replaceAll(/%3A/gi, ":");
  const options = path.slice(0, at).replaceAll(/%3A/gi, ":");
  const source = path.slice(at + "plain/".length);
  return `${options}plain/${source.replace(/^([a-z][a-z0-9+.-]*):\/([^/])/i, "$1://$2")}`;
}

function splitOptions(parts: readonly string[]) {
  const end = parts.findIndex((part) => !part.includes(":"));
  const written = end === -1 ? parts : parts.slice(0, end);
  return { options: written.map(readOption), rest: end === -1 ? [] : parts.slice(end) };
}

function readOption(text: string): WrittenOption {
  const [name = "", first = "", ...args] = text.split(":");
  return { name, args: [first, ...args] };
}

function applyOptions(
  state: OptionState,
  options: readonly WrittenOption[],
  presets: Presets,
  used: readonly string[],
): void {
  for (const { name, args } of options) {
    if (name === "preset" || name === "pr") applyPresets(state, args, presets, used);
    else applyOption(state, name, args);
  }
}

/** A preset that names itself, directly or not, is left out there. */
function applyPresets(
  state: OptionState,
  names: readonly string[],
  presets: Presets,
  used: readonly string[],
): void {
  for (const name of names) {
    const options = presets.get(name);
    if (!options) throw invalidUrl(`unknown preset ${JSON.stringify(name.slice(0, 40))}`);
    if (!used.includes(name)) applyOptions(state, options, presets, [...used, name]);
  }
}

function decodeSource(parts: readonly string[]): { source: string; extension: string } {
  const isPlain = parts[0] === "plain" && parts.length > 1;
  const encoded = isPlain ? parts.slice(1).join("/") : parts.join("");
  const [text = "", extension = "", ...more] = encoded.split(isPlain ? "@" : ".");
  if (text === "") throw invalidUrl("it has no source");
  if (more.length > 0) throw invalidUrl("it has several formats");
  const source = isPlain ? decodePercent(text) : decodeBase64("source", text);
  return { source, extension };
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidUrl("its source is not encoded correctly");
  }
}

/**
 * Parses presets such as `sharp=sharpen:0.7`, one a line or separated by commas. Throws `PictureError` for one that
 * is not allowed.
 */
export function parsePresets(text: string): Presets {
  const presets = new Map<string, WrittenOption[]>();
  const entries = text.split(/[,\n]/).map((entry) => entry.trim());
  for (const entry of entries) {
    if (entry === "" || entry.startsWith("#")) continue;
    const [name = "", value = "", ...more] = entry.split("=").map((part) => part.trim());
    const { options, rest } = splitOptions(value.split("/"));
    if (!name || !value || more.length > 0 || rest.length > 0) {
      throw invalidUrl(`${JSON.stringify(entry.slice(0, 80))} is not a preset`);
    }
    presets.set(name, options);
  }
  for (const [name, options] of presets) {
    const state: OptionState = {
      plan: defaultPlan,
      delivery: { isAttachment: false, expires: 0 },
    };
    applyOptions(state, options, presets, [name]);
  }
  return presets;
}
