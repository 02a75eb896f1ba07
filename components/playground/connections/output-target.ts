/** Where the outputs of a job are sent, as the form keeps it. */
export interface OutputTarget {
  readonly kind: "connection" | "url";
  /** The ID of the connection; empty until one is chosen. */
  readonly connection: string;
  /** The path in the connection, with placeholders. */
  readonly path: string;
  /** Whether a file with this path is replaced. */
  readonly overwrite: boolean;
  /** The presigned URL. */
  readonly url: string;
  /** Whether the outputs are kept here as well. */
  readonly keep: boolean;
}

export const defaultPath = "{filename}";

export const noTarget: Omit<OutputTarget, "kind"> = {
  connection: "",
  path: defaultPath,
  overwrite: false,
  url: "",
  keep: false,
};

/** The target as fields of a request. What has its default is left out. */
export function targetFields(target: OutputTarget): Record<string, unknown> {
  const { kind, connection, overwrite, keep } = target;
  const path = target.path.trim();
  const output =
    kind === "url"
      ? { url: target.url.trim() }
      : {
          connection,
          ...(path !== "" && path !== defaultPath && { path }),
          ...(overwrite && { overwrite }),
        };
  return { output, ...(keep && { keep }) };
}
