import type postgres from "postgres";

/** A table of the service, with the columns that a backup has. */
export interface BackupTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** What runners write about themselves while they live, and what lives for milliseconds. */
const notBackedUp = ["runners", "live_previews"];

/** The tables of the database, each after those that it refers to. */
export async function listTables(sql: postgres.TransactionSql): Promise<BackupTable[]> {
  const rows = await sql<{ name: string; columns: string[]; parents: string[] }[]>`
    select t.relname as name,
      array(select a.attname::text from pg_attribute a where a.attrelid = t.oid and a.attnum > 0
        and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select p.relname::text from pg_constraint c join pg_class p on p.oid = c.confrelid
        where c.conrelid = t.oid and c.contype = 'f' and p.oid <> t.oid) as parents
    from pg_class t where t.relnamespace = 'public'::regnamespace and t.relkind = 'r'
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

/** The table and its columns for COPY. Throws if a name is none of ours. */
export function copyTarget({ name, columns }: BackupTable): string {
  const odd = [name, ...columns].find((one) => !/^[a-z_][a-z0-9_]*$/.test(one));
  if (odd !== undefined) throw new Error("a name of a table or column in the backup is invalid");
  return `"public"."${name}" (${columns.map((column) => `"${column}"`).join(", ")})`;
}
