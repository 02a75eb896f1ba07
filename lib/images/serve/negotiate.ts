import { env } from "#lib/env.ts";
import type { ImagePlan, PictureFormat } from "../plan/plan.ts";

/** What the headers of a request say of a picture. */

/** Formats that are smaller than those that all clients read, best first. */
const negotiated = ["jxl", "avif", "webp"] as const satisfies PictureFormat[];

/** The formats that the client names in `Accept`, best first. `image/*` names none. */
export function preferredFormats(accept: string | undefined): PictureFormat[] {
  const types = (accept ?? "")
    .toLowerCase()
    .split(",")
    .map((type) => {
      const [name = "", ...parameters] = type.split(";").map((part) => part.trim());
      const isRefused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
      return isRefused ? "" : name;
    });
  return negotiated.filter((format) => types.includes(`image/${format}`));
}

const maxDpr = 8;
const maxHintedWidth = 10_000;

/**
 * The headers of client hints, the standard ones first. None by default: no signature covers them, so anyone with one
 * URL could have any number of pictures made at the expense of its account.
 */
function hintNames(): { readonly dpr: readonly string[]; readonly width: readonly string[] } {
  if (!env.IMGPROXY_ENABLE_CLIENT_HINTS) return { dpr: [], width: [] };
  return { dpr: ["sec-ch-dpr", "dpr"], width: ["sec-ch-width", "width"] };
}

export type RequestHeaders = Readonly<Record<string, string | undefined>>;

/** The options that client hints stand for. Undefined if the request has none. */
export function clientHints(headers: RequestHeaders): Partial<ImagePlan> | undefined {
  const names = hintNames();
  const dpr = firstNumber(headers, names.dpr, maxDpr);
  const width = firstNumber(headers, names.width, maxHintedWidth);
  if (dpr === undefined && width === undefined) return undefined;
  return {
    ...(dpr === undefined ? {} : { dpr }),
    // The hint counts the pixels of the screen.
    ...(width === undefined ? {} : { width: Math.round(width / (dpr ?? 1)) }),
  };
}

function firstNumber(
  headers: RequestHeaders,
  names: readonly string[],
  max: number,
): number | undefined {
  const numbers = names.map((name) => Number(headers[name] || Number.NaN));
  return numbers.find((value) => value > 0 && value <= max);
}

function allHints(): readonly string[] {
  const { dpr, width } = hintNames();
  return [...dpr, ...width];
}

/** The values of the hints that a request has, as text. */
export function hintsOf(headers: RequestHeaders): readonly (string | undefined)[] {
  return allHints().map((name) => headers[name]);
}

/** The headers on which the picture depends, for shared caches. */
export function varyOf(headers: RequestHeaders): string {
  const hints = allHints().filter((name) => headers[name] !== undefined);
  return ["Accept", ...hints].join(", ");
}
