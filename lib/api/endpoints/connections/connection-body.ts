import { z } from "zod";
import { anyField } from "#lib/connections/fields.ts";
import { findPathFault } from "#lib/connections/file-reference.ts";
import {
  type ConnectionRow,
  connectionAccess,
  connectionTypes,
} from "#lib/db/schema/credentials/connections.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";

/** The bodies of requests and responses about connections. */

const forPeople = "A name for people.";
const folder = "The folder that the connection cannot leave; empty for the whole store.";
const uses = "What jobs may do with it.";
const onlyOperations = "The only operations whose jobs may use it; null for all.";

/** What every connection has. The fields of the requests have the descriptions: wrapped schemas lose theirs. */
const settings = {
  name: z
    .string("must be a text")
    .min(1, "must not be empty")
    .max(100, "must be at most 100 characters long"),
  prefix: z
    .string("must be a text")
    // The lookbehind keeps the time linear: a run of slashes is only read from its beginning.
    .transform((value) => value.replace(/^\/+|(?<!\/)\/+$/g, ""))
    .superRefine((value, context) => {
      const fault = value === "" ? undefined : findPathFault(value);
      if (fault) context.addIssue({ code: "custom", message: fault });
    }),
  access: z.enum(connectionAccess),
  operations: z
    .array(
      z.string().refine((id) => findOperation(id) !== undefined, "must be ids of operations"),
      "must be a list of ids of operations",
    )
    .min(1, "must have at least one operation")
    .max(200, "must have at most 200 operations")
    .nullable(),
};

export const newConnection = z.strictObject({
  type: z
    .enum(connectionTypes)
    .describe("The kind of store. It decides which other fields there are."),
  name: settings.name.describe(forPeople),
  prefix: settings.prefix.default("").describe(folder),
  access: settings.access.default("both").describe(uses),
  operations: settings.operations.default(null).describe(onlyOperations),
  ...anyField,
});

export const changedConnection = z.strictObject({
  name: settings.name.optional().describe(forPeople),
  prefix: settings.prefix.optional().describe(folder),
  access: settings.access.optional().describe(uses),
  operations: settings.operations.optional().describe(onlyOperations),
  ...anyField,
});

const time = z.iso.datetime();

/** A connection as its owner sees it: without its secrets. */
export const connectionSchema = z
  .looseObject({
    id: z.string().describe("Such as conn_0ABC…"),
    type: z.enum(connectionTypes),
    name: z.string(),
    prefix: z.string().describe(folder),
    access: z.enum(connectionAccess),
    operations: z.array(z.string()).nullable(),
    external_id: z
      .string()
      .optional()
      .describe("For s3_role: what the role's trust policy must demand."),
    host_key: z.string().optional().describe("For sftp: the fingerprint of the host's key."),
    created_at: time,
    tested_at: time.nullable().describe("When it was last tested; null if never since its change."),
    test_error: z.string().nullable().describe("What was wrong at the last test; null if nothing."),
    used_at: time.nullable().describe("When a job last used it."),
  })
  .meta({
    id: "Connection",
    description: "A store of the account. The fields of its type follow, except its secrets.",
  });

export function serializeConnection(row: ConnectionRow): z.infer<typeof connectionSchema> {
  const { id, type, name, access, operations, config } = row;
  return {
    id,
    type,
    name,
    prefix: row.prefix,
    access,
    operations: operations && [...operations],
    ...config,
    created_at: row.createdAt.toISOString(),
    tested_at: row.testedAt?.toISOString() ?? null,
    test_error: row.testError,
    used_at: row.usedAt?.toISOString() ?? null,
  };
}

/** The settings of a request, and the fields of its type. */
export function splitBody<Settings extends object>(
  body: Settings,
): {
  readonly settings: Omit<Settings, keyof typeof anyField>;
  readonly fields: Record<string, unknown>;
} {
  const entries = Object.entries(body);
  const isField = ([name]: [string, unknown]) => Object.hasOwn(anyField, name);
  return {
    settings: Object.fromEntries(entries.filter((entry) => !isField(entry))) as Omit<
      Settings,
      keyof typeof anyField
    >,
    fields: Object.fromEntries(entries.filter((entry) => isField(entry) && entry[1] !== undefined)),
  };
}

export const connectionId = z.strictObject({
  id: z
    .string()
    .regex(/^conn_[0-9A-Za-z]{24}$/, "No connection with this id exists.")
    .describe("The id of the connection."),
});
