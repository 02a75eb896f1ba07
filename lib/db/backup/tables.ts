import type postgres from "postgres";

/** A table of the service, with the columns that a backup has. */
export interface BackupTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** What runners write about themselves while they live, and what lives for milliseconds. */
const notBackedUp = ["runners", "live_previews"];

/** The tables of the database, each after those that it refers to. Partitions are part of their table. */
export async function listTables(sql: postgres.TransactionSql): Promise<BackupTable[]> {
  const rows = await sql<{ name: string; columns: string[]; parents: string[] }[]>`
    select t.relname as name,
      array(select a.attname::text from pg_attribute a where a.attrelid = t.oid and a.attnum > 0
        and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select p.relname::text from pg_constraint c join pg_class p on p.oid = c.confrelid
        where c.conrelid = t.oid and c.contype = 'f' and p.oid <> t.oid) as parents
    from pg_class t where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')
      and not t.relispartition
    order by t.relname`;
  const sorted: BackupTable[] = [];
  const isSorted = (name: string) => sorted.some((table) => table.name === name);
  for (let rest = [...rows]; rest.length > 0; ) {
    const ready = rest.filter(({ parents }) => parents.every(isSorted));
    if (ready.length === 0) throw new Error("tables refer to each other in a circle");
    sorted.push(...ready.map(({ name, columns }) => ({ name, columns })));
    rest = rest.filter((row) => !ready.includes(row));
  }
  return sorted.filter(({ name }) => !notBackedUp.includes(name));
}

/** Versions that know no partitions write each of them as a table, if the database has them already. */
const partition = /^(api_requests)_(?:before|default|\d{8})$/;

/** The table and its columns to write to with COPY. Throws if a name is none of ours. */
export function copyTarget(table: BackupTable): string {
  return `"public"."${checkName(table.name.replace(partition, "$1"))}" (${columnsOf(table)})`;
}

/** The rows of the table to read with COPY, which cannot name a partitioned table there. Throws as `copyTarget`. */
export function copySource(table: BackupTable): string {
  return `(select ${columnsOf(table)} from "public"."${checkName(table.name)}")`;
}

function columnsOf({ columns }: BackupTable): string {
  return columns.map((column) => `"${checkName(column)}"`).join(", ");
}

function checkName(name: string): string {
  if (/^[a-z_][a-z0-9_]*$/.test(name)) return name;
  throw new Error("a name of a table or column in the backup is invalid");
}
