import { z } from "zod";

/** The version of the file's format. */
export const backupFormat = 1;

/** The first entry of a backup. */
export const manifestSchema = z.object({
  format: z.literal(backupFormat),
  created_at: z.string(),
  /** The version of the service. */
  version: z.string(),
  /** The time of the last migration. */
  migration: z.number(),
  /** Which store has the files. With `local`, the backup has them; others are in their store. */
  storage: z.enum(["local", "s3", "uploadthing"]),
  /** Whether the backup has the generated secret, or the operator has set another one. */
  secret: z.enum(["included", "environment"]),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** Names of entries. */
export const entryNames = {
  manifest: "manifest.json",
  secret: "secret",
  secretPrevious: "secret-previous",
  /** The rows of a table: `database/<table>/<number>.copy.gz`. */
  database: "database/",
  /** The stored files: `storage/<key>`. */
  storage: "storage/",
} as const;

/** The result of a command. */
export type BackupResult = Readonly<Record<string, string | number>>;
