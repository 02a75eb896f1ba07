import { parseImgproxyPath, restoreSlashes } from "../imgproxy/parse-path.ts";
import { configuredPresets } from "../imgproxy/settings.ts";
import { unsignedTexts, verifySignature, verifyThumborSignature } from "../imgproxy/signature.ts";
import type { PictureOwner } from "../keys/pairs.ts";
import { invalidUrl, PictureError } from "../plan/errors.ts";
import type { PictureRequest } from "../plan/plan.ts";
import { parseThumborPath } from "../thumbor/parse-path.ts";
import { clientHints, type RequestHeaders } from "./negotiate.ts";

export const grammars = ["imgproxy", "thumbor"] as const;
export type Grammar = (typeof grammars)[number];

/**
 * Checks the signature of a path, without its first slash, and parses what follows it. Throws
 * `PictureError`: 403 for a wrong signature, 404 for what the grammar does not allow.
 */
export function parseRequest(
  grammar: Grammar,
  path: string,
  owner: PictureOwner,
  headers: RequestHeaders,
): PictureRequest {
  if (grammar === "thumbor") return parseThumbor(path, owner);
  // As with imgproxy, a query is not part of the path: clients add one to get past caches.
  const [withoutQuery = ""] = path.split("?", 1);
  const isInfo = withoutQuery.startsWith("info/");
  const signed = isInfo ? withoutQuery.slice("info/".length) : withoutQuery;
  const { signature, rest } = splitSignature(signed);
  const signedPaths = new Set([rest, restoreSlashes(rest)]);
  const isSigned = owner.pairs.some((pair) =>
    [...signedPaths].some((path) => verifySignature(pair, signature, `/${path}`)),
  );
  if (!isSigned) requireUnsigned(signature, owner);
  const defaults = clientHints(headers);
  const request = parseImgproxyPath(rest, { presets: configuredPresets(), defaults });
  return { ...request, info: isInfo ? "source" : null };
}

function splitSignature(path: string): { signature: string; rest: string } {
  const slash = path.indexOf("/");
  if (slash <= 0 || slash === path.length - 1) throw invalidUrl("it has no signature");
  return { signature: path.slice(0, slash), rest: path.slice(slash + 1) };
}

function requireUnsigned(signature: string, { unsigned }: PictureOwner): void {
  if (unsigned === "any" || (unsigned && unsignedTexts.includes(signature))) return;
  throw new PictureError(403, "The signature is not valid.");
}

/** Some of thumbor's clients sign the path before it is encoded, and slashes may have been merged since. */
function parseThumbor(path: string, owner: PictureOwner): PictureRequest {
  const { signature, rest } = splitSignature(path);
  const decoded = decodePath(rest);
  const signedPaths = [rest, decoded, decoded.replace(/\b(https?):\/(?!\/)/, "$1://")];
  const isSigned = owner.thumborKeys.some((key) =>
    signedPaths.some((signed) => verifyThumborSignature(key, decodePath(signature), signed)),
  );
  if (!isSigned) requireUnsigned(signature, owner);
  return parseThumborPath(decoded);
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw invalidUrl("it is not encoded correctly");
  }
}
