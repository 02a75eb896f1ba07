import { z } from "zod";

/** The level below which audio is silent, in dBFS. */
export const silenceThreshold = z.number().min(-120).max(-5).default(-50).meta({
  description: "Audio below this level is silent, in decibels below full scale.",
  control: "slider",
  unit: "dB",
});

/** The shortest silence, in seconds; `description` says what it is for. */
export function silenceDuration(description: string) {
  return z.number().min(0.05).max(3600).default(0.5).meta({ description, unit: "s" });
}
