/** The optional columns of the job list, in their order. */
export const jobColumns = {
  input: "Input",
  size: "Size",
  error: "Error",
  created: "Created",
  started: "Started",
  completed: "Completed",
  duration: "Duration",
} as const;

export type JobColumn = keyof typeof jobColumns;

// Object.keys types the keys as text.
export const jobColumnNames = Object.keys(jobColumns) as JobColumn[];

const defaultColumns: readonly JobColumn[] = ["input", "created", "duration"];

/** This browser keeps the chosen columns in this cookie, so that the server renders them. */
export const columnsCookie = "mediamill-job-columns";

/** The columns of a cookie's value; the default ones without a value. */
export function parseColumns(value: string | undefined): readonly JobColumn[] {
  if (value === undefined) return defaultColumns;
  const names = value.split(".");
  return jobColumnNames.filter((name) => names.includes(name));
}

/** The cookie that keeps the columns for a year. */
export function columnsCookieText(columns: readonly JobColumn[]): string {
  return `${columnsCookie}=${columns.join(".")}; path=/dashboard; max-age=31536000; samesite=lax`;
}
