import {
  fillPlaceholders,
  getTableColumns,
  Param,
  SQL,
  StringChunk,
  sql,
  type Table,
} from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { PgDialect } from "drizzle-orm/pg-core";

/**
 * Statements of the path of every job. The query builder writes a statement's text at each call,
 * which costs more than sending it; these are written once.
 */

/** A value of a statement. JSON is passed as text. */
export type StatementValue = string | number | boolean | Date | null;

const dialect = new PgDialect({ casing: "snake_case" });

/** The text and the parameters of a statement, as PostgreSQL takes them. */
export function compile(statement: SQL): { readonly text: string; readonly values: unknown[] } {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  return { text, values: params };
}

/**
 * A statement with named values. `build` is called once, at the first use, and gets the placeholder of
 * each value; PostgreSQL often needs its type, as in `${value("id")}::text`.
 */
export function defineStatement<Name extends string>(
  build: (value: (name: Name) => SQL) => SQL,
): (values: Readonly<Record<Name, StatementValue>>) => SQL {
  let written: { readonly pieces: readonly StringChunk[]; readonly params: unknown[] } | undefined;
  return (values) => {
    written ??= write(build((name) => sql`${sql.placeholder(name)}`));
    const { pieces, params } = written;
    const filled = fillPlaceholders(params, values);
    const chunks = pieces.flatMap((piece, index) =>
      index < filled.length ? [piece, new Param(encode(filled[index]))] : [piece],
    );
    return new SQL(chunks);
  };
}

function write(statement: SQL) {
  const { text, values } = compile(statement);
  return { pieces: text.split(/\$\d+/).map((piece) => new StringChunk(piece)), params: values };
}

function encode(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}

/** Makes rows of a whole table, as a raw statement returns them, into rows as the query builder does. */
export function rowReader<Source extends Table>(
  table: Source,
): (row: Record<string, unknown>) => Source["$inferSelect"] {
  const columns = Object.entries(getTableColumns(table)).map(
    ([name, column]) => [name, toSnakeCase(name), column] as const,
  );
  return (row) => {
    const entries = columns.map(([name, columnName, column]) => {
      const value = row[columnName];
      return [name, value === null ? null : column.mapFromDriverValue(value)];
    });
    // The columns of the table, each with its own type.
    return Object.fromEntries(entries) as Source["$inferSelect"];
  };
}
