import type { Operation } from "../definition.ts";
import { parameterSchemas } from "../parameter-schema.ts";

/** What of a file a live preview shows: the whole image, a frame of a video or a page of a document. */
export type LiveKind = "image" | "frame" | "page";

/** Images that an operation writes, and that browsers show after a conversion at most. */
const imageTypes = new Set<string>(["jpeg", "png", "webp", "gif", "avif", "tiff", "jxl"]);

type Described = Pick<
  Operation,
  "group" | "live" | "inputs" | "files" | "params" | "example" | "accepts" | "produces"
>;

/**
 * How an operation is previewed live; undefined if it is not. Images are, if the operation takes at most one and
 * writes one. Of other files, only the operations that have `live`, because one frame or page does not show what most
 * of them do.
 */
export function liveKindOf(operation: Described): LiveKind | undefined {
  const { files = {}, group, inputs, live } = operation;
  if (inputs.max > 1 || Object.values(files).some(({ required }) => required)) return undefined;
  if (live) return live;
  if (group !== "image") return undefined;
  const [type = "png"] = operation.accepts;
  const params = operation.params.safeParse(operation.example);
  return params.success && imageTypes.has(operation.produces(type, params.data))
    ? "image"
    : undefined;
}

/** Parameters whose effect depends on the size of the file, so that a small one shows nothing of it. */
const sizeTargets = ["max_bytes"];

/** Why these parameters cannot be previewed: a sentence for people; undefined if they can. */
export function describeLiveObstacle(
  operation: Pick<Operation, "params">,
  params: Readonly<Record<string, unknown>>,
): string | undefined {
  const { properties } = parameterSchemas(operation.params);
  const given = Object.keys(properties).filter((name) => params[name] !== undefined);
  const secret = given.find((name) => properties[name]?.secret);
  if (secret) return `There is no live preview with \`${secret}\`, because it is secret.`;
  const target = given.find((name) => sizeTargets.includes(name));
  if (target) return `There is no live preview with \`${target}\`: it depends on the whole file.`;
  return undefined;
}
