import type postgres from "postgres";

/** A column as PostgreSQL knows it. */
export interface Column {
  readonly type: string;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
}

export interface Table {
  readonly columns: Readonly<Record<string, Column>>;
  /** The definitions of constraints by name. */
  readonly constraints: Readonly<Record<string, string>>;
  readonly indexes: Readonly<Record<string, { readonly unique: boolean }>>;
  /** How the table is divided, as in `RANGE (created_at)`; null if it has no partitions. */
  readonly partitionKey: string | null;
}

/** The tables of a database, by name. */
export type Catalog = Readonly<Record<string, Table>>;

/** Reads the tables of the schema `public`. Partitions are part of their table. */
export async function readCatalog(sql: Pick<postgres.Sql, "unsafe">): Promise<Catalog> {
  const [row] = await sql.unsafe<{ catalog: Catalog | null }[]>(`
    select json_object_agg(t.relname, json_build_object(
      'columns', (select json_object_agg(a.attname, json_build_object(
          'type', format_type(a.atttypid, a.atttypmod), 'nullable', not a.attnotnull,
          'hasDefault', a.atthasdef or a.attidentity <> ''))
        from pg_attribute a where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped),
      'constraints', coalesce((select json_object_agg(c.conname, pg_get_constraintdef(c.oid))
        from pg_constraint c where c.conrelid = t.oid and c.contype <> 'n'), '{}'),
      'indexes', coalesce((select json_object_agg(i.relname, json_build_object('unique', x.indisunique))
        from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = t.oid), '{}'),
      'partitionKey', pg_get_partkeydef(t.oid)
    )) as catalog
    from pg_class t where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')
      and not t.relispartition`);
  return row?.catalog ?? {};
}
