import { z } from "zod";
import type { ConnectionType } from "#lib/db/schema/credentials/connections.ts";
import { parseFetchUrl } from "#lib/fetch-url.ts";
import { findKeyFault, maxKeyLength } from "./private-key.ts";

/** The fields of each type of connection. */

/** The names of the fields whose values are encrypted and never shown. */
const secretNames: ReadonlySet<string> = new Set([
  "secret_access_key",
  "service_account",
  "account_key",
  "password",
  "private_key",
  "passphrase",
]);

const text = (max: number) =>
  z
    .string("must be a text")
    .min(1, "must not be empty")
    .max(max, `must be at most ${max} characters long`);

const url = text(2048).refine((value) => {
  try {
    const { search, hash } = parseFetchUrl(value);
    return search === "" && hash === "";
  } catch {
    return false;
  }
}, "must be a complete http or https URL without a query");

function isHost(host: string): boolean {
  const name = host.includes(":") ? `[${host}]` : host;
  return /^(?:\[[0-9a-f:.]+\]|[\w.-]+)$/i.test(name) && URL.canParse(`http://${name}`);
}

const bucket = text(255)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "must be the name of a bucket")
  // Those of S3 Express have sessions of their own.
  .refine((name) => !/--xa?-s3$/.test(name), "must not be a directory bucket")
  .describe("The bucket.");

const region = text(60)
  .regex(/^[a-z0-9-]+$/, "must be the name of a region")
  .describe("The region, such as eu-central-1.");

const endpoint = url.describe("The address of a store other than the provider's own.");

/** The JSON of a service account's key file, as an object or as text. */
const serviceAccount = z
  .union([z.string(), z.record(z.string(), z.unknown())], "must be the JSON of a key file")
  .transform((value, context) => {
    const parsed = keyFile.safeParse(typeof value === "string" ? parseJson(value) : value);
    if (parsed.success) return JSON.stringify(parsed.data);
    context.addIssue({
      code: "custom",
      message: "must be the JSON of a key file, with `client_email` and `private_key`",
    });
    return z.NEVER;
  })
  .describe("The key file of a service account: its JSON.");

const keyFile = z.object({
  client_email: z.string().min(3).max(300),
  private_key: z.string().min(20).max(maxKeyLength),
});

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

const fieldsOf = {
  s3: z.strictObject({
    bucket,
    region: region.default("us-east-1"),
    endpoint: endpoint.optional(),
    access_key_id: text(200).describe("The id of an access key."),
    secret_access_key: text(400).describe("Its secret."),
  }),
  s3_role: z.strictObject({
    bucket,
    region: region.default("us-east-1"),
    role_arn: text(2048)
      .regex(/^arn:aws[a-z-]*:iam::\d{12}:role\/.+$/, "must be the ARN of a role")
      .describe("The role to assume. Its trust policy must demand the external id."),
  }),
  gcs: z.strictObject({
    bucket,
    endpoint: endpoint.optional(),
    service_account: serviceAccount,
  }),
  azure: z.strictObject({
    account: text(60)
      .regex(/^[a-z0-9-]+$/, "must be the name of a storage account")
      .describe("The storage account."),
    container: text(63)
      .regex(/^[a-z0-9$][a-z0-9-]*$/, "must be the name of a container")
      .describe("The container."),
    endpoint: endpoint.optional(),
    account_key: z
      .string("must be a text")
      .regex(/^[A-Za-z0-9+/]{40,}={0,2}$/, "must be a key of the account, in Base64")
      .describe("A key of the storage account, in Base64."),
  }),
  sftp: z
    .strictObject({
      host: text(253)
        .refine(isHost, "must be the name or the address of a host")
        .describe("The host."),
      port: z
        .int("must be a whole number from 1 to 65535")
        .min(1, "must be a whole number from 1 to 65535")
        .max(65_535, "must be a whole number from 1 to 65535")
        .default(22)
        .describe("The port."),
      username: text(255).describe("The user name."),
      password: text(1024).optional().describe("The password."),
      private_key: text(maxKeyLength)
        .superRefine((key, context) => {
          const fault = findKeyFault(key);
          if (fault) context.addIssue({ code: "custom", message: fault });
        })
        .optional()
        .describe("A private key in OpenSSH's format or as PEM."),
      passphrase: text(1024).optional().describe("The passphrase of the private key."),
      host_key: z
        .string("must be a fingerprint such as SHA256:…")
        .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, "must be a fingerprint such as SHA256:…")
        .optional()
        .describe(
          "The fingerprint of the host's key. Without it, the key of the first test is taken.",
        ),
    })
    .refine(
      ({ password, private_key }) => password !== undefined || private_key !== undefined,
      "must have `password` or `private_key`",
    ),
  webdav: z.strictObject({
    url: url.describe(
      "The URL of the folder, such as https://cloud.example.com/remote.php/dav/files/anna.",
    ),
    username: text(255).describe("The user name."),
    password: text(1024).describe("The password, such as an app password."),
  }),
} satisfies Record<ConnectionType, z.ZodType>;

/** The fields of one type, parsed. */
type FieldsOf<Type extends ConnectionType> = z.output<(typeof fieldsOf)[Type]>;

/** The schema of the fields of a type. */
export function fieldSchema(type: ConnectionType): z.ZodType<Record<string, string | number>> {
  return fieldsOf[type] as z.ZodType<unknown> as z.ZodType<Record<string, string | number>>;
}

/** The parsed fields of a type that have been stored. */
export function parseFields<Type extends ConnectionType>(
  type: Type,
  fields: Readonly<Record<string, unknown>>,
): FieldsOf<Type> {
  return fieldsOf[type].parse(fields) as FieldsOf<Type>;
}

type FieldName = {
  [Type in ConnectionType]: keyof (typeof fieldsOf)[Type]["shape"];
}[ConnectionType];

/** The fields of all types, each optional: the form of a request, whose type decides which it takes. */
export const anyField = Object.fromEntries(
  Object.values(fieldsOf).flatMap(({ shape }) =>
    Object.entries(shape).map(([name, schema]) => [
      name,
      z.unknown().optional().meta(metaOf(name, schema)),
    ]),
  ),
  // `fromEntries` loses the names.
) as Record<FieldName, z.ZodOptional<z.ZodUnknown>>;

/** What the OpenAPI document says of a field. */
function metaOf(name: string, schema: z.ZodType): z.GlobalMeta {
  const type = name === "port" ? "integer" : "string";
  return {
    description: descriptionOf(schema),
    // A key file may be an object, too.
    ...(name === "service_account" ? {} : { type }),
    ...(secretNames.has(name) ? { writeOnly: true } : {}),
  };
}

/** The description of a schema, or of the one that it makes optional. */
function descriptionOf(schema: z.ZodType): string {
  if (schema.description !== undefined) return schema.description;
  const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
  return isWrapper ? descriptionOf(schema.unwrap() as z.ZodType) : "";
}

/** The fields in those that are shown and those that are encrypted. */
export function splitFields(fields: Readonly<Record<string, string | number>>) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    config: Object.fromEntries(entries.filter(([name]) => !secretNames.has(name))),
    secrets: Object.fromEntries(entries.filter(([name]) => secretNames.has(name))),
  };
}
