/** Percents of the monthly quota at which an account can get an alert. */
export const alertThresholds = [50, 75, 90, 100] as const;

/** Bytes as they are billed, in decimal units: `760 MB`, `1.2 GB`. */
export function formatQuotaBytes(bytes: number): string {
  const [unit, size] = bytes >= 10 ** 9 ? ["GB", 10 ** 9] : ["MB", 10 ** 6];
  const value = bytes / size;
  return `${value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 1 })} ${unit}`;
}
