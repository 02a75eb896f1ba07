import { JobError } from "#lib/errors.ts";

/**
 * Throws `JobError("empty")` if `seconds`, the value of the parameter `name`, is not before the end of
 * a file of `duration` seconds.
 */
export function requireTimeInside(name: string, seconds: number, duration = 0): void {
  if (seconds === 0 || seconds < duration) return;
  const length = `${duration.toFixed(2)} seconds`;
  throw new JobError(
    "empty",
    `\`${name}\` must be before the end of the video, which is ${length} long.`,
  );
}
