import type { Catalog, Column, Table } from "./catalog.ts";

/** A schema of a version's code: the columns that it uses, by table. */
export type UsedColumns = Readonly<Record<string, readonly string[]>>;

/**
 * Why a version that uses the columns `used` may not work after a change from `before` to `after`, or why
 * the change would block it: one line each, nothing if it works.
 */
export function findSchemaProblems(before: Catalog, after: Catalog, used: UsedColumns): string[] {
  return Object.entries(before).flatMap(([name, table]) => {
    const columns = used[name];
    if (!columns) return [];
    const changed = after[name];
    if (!changed) return [`table ${name} is gone`];
    return [
      ...columns.flatMap((column) => {
        const problem = compare(table.columns[column], changed.columns[column]);
        return problem ? [`column ${name}.${column} ${problem}`] : [];
      }),
      ...findDemands(name, table, changed),
    ];
  });
}

function compare(before: Column | undefined, after: Column | undefined): string | undefined {
  if (!before) return undefined;
  if (!after) return "is gone";
  if (after.type !== before.type) return `has another type: ${before.type} became ${after.type}`;
  if (after.nullable && !before.nullable) return "may be null";
  if (!after.nullable && before.nullable) return "must not be null";
  return before.hasDefault && !after.hasDefault ? "has no default" : undefined;
}

/** What the table demands of writes, and did not before. */
function findDemands(name: string, before: Table, after: Table): string[] {
  const added = Object.entries(after.columns).filter(([column]) => !before.columns[column]);
  const problems = added
    .filter(([, { nullable, hasDefault }]) => !nullable && !hasDefault)
    .map(([column]) => `column ${name}.${column} is NOT NULL without a default`);
  for (const [constraint, definition] of Object.entries(after.constraints)) {
    const known = before.constraints[constraint];
    if (known !== definition && addPartitionKey(known, after) !== definition) {
      problems.push(`constraint ${constraint} of ${name} is new`);
    }
  }
  for (const constraint of Object.keys(before.constraints)) {
    // `on conflict` needs the constraint.
    if (!after.constraints[constraint])
      problems.push(`constraint ${constraint} of ${name} is gone`);
  }
  for (const [index, { unique }] of Object.entries(after.indexes)) {
    if (unique && !before.indexes[index]) problems.push(`index ${index} of ${name} is unique`);
  }
  for (const [index, { unique }] of Object.entries(before.indexes)) {
    if (unique && !after.indexes[index]) problems.push(`unique index ${index} of ${name} is gone`);
  }
  return problems;
}

/**
 * The definition of a unique key as a table with partitions has it: with the columns of its partitions. `on conflict`
 * without columns works as before.
 */
function addPartitionKey(definition: string | undefined, { partitionKey }: Table) {
  const [, columns] = /^RANGE \((.+)\)$/.exec(partitionKey ?? "") ?? [];
  return columns && definition?.replace(/^((?:PRIMARY KEY|UNIQUE) \(.+)\)$/, `$1, ${columns})`);
}

/** Statements that break a running older version even if a later statement restores what it uses. */
const forbidden: readonly [pattern: RegExp, problem: string][] = [
  [/\bRENAME\b/i, "RENAME"],
  [/\bALTER\s+(?:COLUMN\s+)?"?\w+"?\s+(?:SET\s+DATA\s+)?TYPE\b/i, "ALTER COLUMN … TYPE"],
  [/\bDROP\s+(?:SCHEMA|TYPE|FUNCTION|VIEW)\b/i, "DROP of a schema, type, function or view"],
  [/\b(?:TRUNCATE|DELETE\s+FROM)\b/i, "TRUNCATE or DELETE"],
];

/**
 * Why a migration may not run while a version that uses the columns `used` works: one line each. `functions`: those
 * that a migration since that version has created, which it does not know.
 */
export function findStatementProblems(
  text: string,
  used: UsedColumns,
  functions: readonly string[] = [],
): string[] {
  const sql = text.replace(/--(?!> ).*$/gm, "");
  const partitioned = findPartitionedTables(sql);
  const checked = sql
    .replace(renameTable, (statement, table) => (partitioned.includes(table) ? "" : statement))
    .replace(renameIndex, (statement) => (partitioned.length > 0 ? "" : statement))
    .replace(dropFunction, (statement, name) => (functions.includes(name) ? "" : statement));
  const problems = forbidden
    .filter(([pattern]) => pattern.test(checked))
    .map(([, problem]) => problem);
  for (const [, table = ""] of sql.matchAll(/\bDROP\s+TABLE\s+(?:IF\s+EXISTS\s+)?"?(\w+)/gi)) {
    if (used[table]) problems.push(`DROP TABLE ${table}`);
  }
  for (const [, table = "", column = ""] of sql.matchAll(dropColumn)) {
    if (used[table]?.includes(column)) problems.push(`DROP COLUMN ${table}.${column}`);
  }
  for (const [, name = "", table = ""] of sql.matchAll(blockingIndex)) {
    if (used[table] && !partitioned.includes(table))
      problems.push(`index ${name} of ${table} is not built CONCURRENTLY`);
  }
  if (/\bCONCURRENTLY\b/i.test(sql)) {
    const others = sql.split("--> statement-breakpoint").filter((one) => !concurrent.test(one));
    if (others.some((one) => one.trim()))
      problems.push("CONCURRENTLY needs a migration of its own");
  }
  return problems;
}

/**
 * Tables that a migration replaces with one that has partitions and their name. It is one transaction, so a statement
 * waits for it, and finds the table by its name.
 */
function findPartitionedTables(sql: string): string[] {
  const [created, tables] = [createPartitioned, renameTable].map((pattern) =>
    [...sql.matchAll(pattern)].map(([, table = ""]) => table),
  );
  return tables?.filter((table) => created?.includes(table)) ?? [];
}

const renameTable = /\bALTER\s+TABLE\s+"?(\w+)"?\s+RENAME\s+TO\s+"?\w+"?/gi;
const renameIndex = /\bALTER\s+INDEX\s+"?\w+"?\s+RENAME\s+TO\s+"?\w+"?/gi;
const createPartitioned = /\bCREATE\s+TABLE\s+"?(\w+)"?\s*\([^;]+\)\s*PARTITION\s+BY\b/gi;
const dropFunction = /\bDROP\s+FUNCTION\s+"(\w+)"/gi;
const dropColumn =
  /\bALTER\s+TABLE\s+(?:ONLY\s+)?"?(\w+)"?\s+DROP\s+COLUMN\s+(?:IF\s+EXISTS\s+)?"?(\w+)/gi;
const blockingIndex =
  /\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+(?!CONCURRENTLY)(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?\s+ON\s+"?(\w+)/gi;
const concurrent = /^\s*(?:CREATE(?:\s+UNIQUE)?|DROP)\s+INDEX\s+CONCURRENTLY\b/i;
