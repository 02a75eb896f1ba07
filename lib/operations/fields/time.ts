import { z } from "zod";

/** A day. No input is longer. */
const maxSeconds = 86_400;

/** A time in a video or audio file, in seconds from its start. */
export function time(description: string) {
  return z.number().min(0).max(maxSeconds).meta({ description, control: "time", unit: "s" });
}
