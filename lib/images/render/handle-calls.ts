import type { CallHandler } from "#lib/calls/answer-calls.ts";
import { type RenderRequest, renderCall } from "./messages.ts";
import { renderPicture } from "./render-picture.ts";

/** The calls that a media runner answers for pictures. */
export const pictureCalls: Readonly<Record<string, CallHandler>> = {
  // Only processes of this service can send calls.
  [renderCall]: (options, signal) => renderPicture(options as RenderRequest, signal),
};
