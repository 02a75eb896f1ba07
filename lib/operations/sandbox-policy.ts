import type { EngineName } from "#lib/engines/sandbox/failures/errors.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import type { Operation } from "./definition.ts";

/** Which files are read only in a sandbox if the service is public. */

/** Engines that run scripts of files, or load what files refer to. */
const riskyEngines: ReadonlySet<EngineName> = new Set(["chromium", "libreoffice"]);

/** The only engine that handles a file without reading what is in it. */
const archiver: EngineName = "7-zip";

const mediaKinds: ReadonlySet<string> = new Set(["image", "video", "audio"]);

/**
 * Whether `operation` gives a file of `type` to a browser, to LibreOffice or to the renderer of SVG.
 * Operations that use such an engine for some of their types read the others, such as images, video,
 * audio and PDF, with other engines.
 */
export function needsSandbox(
  { requires, accepts }: Pick<Operation, "requires" | "accepts">,
  type: MediaTypeId,
): boolean {
  if (type === "svg") return requires.some((engine) => engine !== archiver);
  if (!requires.some((engine) => riskyEngines.has(engine))) return false;
  if (type === "pdf") return accepts.every((accepted) => accepted === "pdf");
  return !mediaKinds.has(mediaType(type).kind);
}

/** What of `operation` is off, for messages: all of it, or files of `type`. */
export function describeRestriction(
  operation: Pick<Operation, "id" | "requires" | "accepts">,
  type: MediaTypeId,
): string {
  const isWhole = operation.accepts.every((accepted) => needsSandbox(operation, accepted));
  return isWhole ? operation.id : `${operation.id} of ${mediaType(type).label}`;
}
