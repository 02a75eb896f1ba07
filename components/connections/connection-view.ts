import type {
  ConnectionAccess,
  ConnectionRow,
  ConnectionType,
} from "#lib/db/schema/credentials/connections.ts";

/** A connection as plain data for its pages, without secrets; times in RFC 3339. */
export interface ConnectionView {
  readonly id: string;
  readonly type: ConnectionType;
  readonly name: string;
  readonly prefix: string;
  readonly access: ConnectionAccess;
  readonly operations: readonly string[] | null;
  /** The fields of its type that are no secrets, as text. */
  readonly fields: Readonly<Record<string, string>>;
  /** What the trust policy of a role must demand. */
  readonly externalId?: string;
  readonly testedAt: string | null;
  /** What was wrong at the last test; null if nothing. */
  readonly testError: string | null;
  readonly usedAt: string | null;
}

export function toConnectionView(row: ConnectionRow): ConnectionView {
  const { id, type, name, prefix, access, operations, testError } = row;
  const { external_id: externalId, ...config } = row.config;
  const fields = Object.entries(config).map(([field, value]) => [field, String(value)]);
  return {
    id,
    type,
    name,
    prefix,
    access,
    operations,
    fields: Object.fromEntries(fields),
    ...(externalId === undefined ? {} : { externalId: String(externalId) }),
    testedAt: row.testedAt?.toISOString() ?? null,
    testError,
    usedAt: row.usedAt?.toISOString() ?? null,
  };
}

/** Where a connection leads, such as `s3://videos/uploads`. */
export function locationOf({ type, fields, prefix }: ConnectionView): string {
  const { bucket, account, container, username, host, port, url } = fields;
  const roots: Record<ConnectionType, string> = {
    s3: `s3://${bucket}`,
    s3_role: `s3://${bucket}`,
    gcs: `gs://${bucket}`,
    azure: `${account}/${container}`,
    sftp: `sftp://${username}@${host}${port === "22" ? "" : `:${port}`}`,
    webdav: url?.replace(/\/+$/, "") ?? "",
  };
  return prefix === "" ? roots[type] : `${roots[type]}/${prefix}`;
}
