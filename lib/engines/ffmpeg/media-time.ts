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

/**
 * A time for people, such as `02:05` or `1:02:05`; `step` is the time from one to the next, so that those
 * of a short video have fractions: `00:01.4`. Both in seconds.
 */
export function formatTimestamp(seconds: number, step: number): string {
  const decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : 2;
  const unit = 10 ** decimals;
  // Rounded down, as players do.
  const units = Math.floor(seconds * unit + 1e-6);
  const whole = Math.floor(units / unit);
  const two = (value: number) => `${value}`.padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const clock = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  const fraction = decimals > 0 ? `.${`${units % unit}`.padStart(decimals, "0")}` : "";
  return `${hours > 0 ? `${hours}:` : ""}${clock}${fraction}`;
}
