import type { ConnectionType } from "#lib/db/schema/credentials/connections.ts";

/** A field of a type of connection, in a form. */
export interface KindField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** It is never shown again. */
  readonly isSecret?: boolean;
  readonly isOptional?: boolean;
  /** It has several lines. */
  readonly isLong?: boolean;
  /** What the API takes if nothing is sent. */
  readonly fallback?: string;
}

/** A type of connection, in a form. */
export interface ConnectionKind {
  readonly label: string;
  /** Which stores it is for. */
  readonly about: string;
  readonly fields: readonly KindField[];
}

const bucket = { name: "bucket", label: "Bucket", placeholder: "videos" };
const region = {
  name: "region",
  label: "Region",
  placeholder: "eu-central-1",
  isOptional: true,
  fallback: "us-east-1",
};
const password = { name: "password", label: "Password", isSecret: true };
const username = { name: "username", label: "User name", placeholder: "anna" };

/** The types of connections in the order in which they are offered. */
export const connectionKinds: Readonly<Record<ConnectionType, ConnectionKind>> = {
  s3: {
    label: "S3 with an access key",
    about: "Amazon S3, or a store with its API: Cloudflare R2, Backblaze B2, MinIO, Wasabi.",
    fields: [
      bucket,
      region,
      {
        name: "endpoint",
        label: "Endpoint",
        hint: "Only for another store than Amazon’s.",
        placeholder: "https://s3.eu-central-003.backblazeb2.com",
        isOptional: true,
      },
      { name: "access_key_id", label: "Access key id", placeholder: "AKIA…" },
      { name: "secret_access_key", label: "Secret access key", isSecret: true },
    ],
  },
  s3_role: {
    label: "S3 with a role",
    about: "Amazon S3 without a key: this service assumes a role of your account.",
    fields: [
      bucket,
      region,
      {
        name: "role_arn",
        label: "ARN of the role",
        hint: "You get an external id for its trust policy in the next step.",
        placeholder: "arn:aws:iam::123456789012:role/mediamill",
      },
    ],
  },
  gcs: {
    label: "Google Cloud Storage",
    about: "With the key of a service account.",
    fields: [
      bucket,
      {
        name: "service_account",
        label: "Key file",
        hint: "The JSON of a service account’s key.",
        placeholder: '{ "type": "service_account", "client_email": …, "private_key": … }',
        isSecret: true,
        isLong: true,
      },
      {
        name: "endpoint",
        label: "Endpoint",
        hint: "Only for another store than Google’s.",
        isOptional: true,
      },
    ],
  },
  azure: {
    label: "Azure Blob Storage",
    about: "With a key of the storage account.",
    fields: [
      { name: "account", label: "Storage account", placeholder: "mystorage" },
      { name: "container", label: "Container", placeholder: "videos" },
      { name: "account_key", label: "Account key", hint: "In Base64.", isSecret: true },
      {
        name: "endpoint",
        label: "Endpoint",
        hint: "Only for another store than Azure’s.",
        isOptional: true,
      },
    ],
  },
  sftp: {
    label: "SFTP",
    about: "A server with SSH, by password or private key.",
    fields: [
      { name: "host", label: "Host", placeholder: "files.example.com" },
      { name: "port", label: "Port", isOptional: true, fallback: "22" },
      username,
      { ...password, hint: "Or a private key.", isOptional: true },
      {
        name: "private_key",
        label: "Private key",
        placeholder: "-----BEGIN OPENSSH PRIVATE KEY-----",
        isSecret: true,
        isOptional: true,
        isLong: true,
      },
      { name: "passphrase", label: "Passphrase of the key", isSecret: true, isOptional: true },
      {
        name: "host_key",
        label: "Fingerprint of the host",
        hint: "Without it, the first test stores the one that it finds.",
        placeholder: "SHA256:…",
        isOptional: true,
      },
    ],
  },
  webdav: {
    label: "WebDAV",
    about: "Nextcloud, ownCloud and other servers.",
    fields: [
      {
        name: "url",
        label: "URL of the folder",
        placeholder: "https://cloud.example.com/remote.php/dav/files/anna",
      },
      username,
      { ...password, hint: "For Nextcloud, an app password." },
    ],
  },
};

/** What a connection may be used for. */
export const accessLabels = {
  both: "Read and write",
  read: "Only read",
  write: "Only write",
} as const;
