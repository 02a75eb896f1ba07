import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import type { Queryable } from "#lib/db/client.ts";
import * as schema from "#lib/db/tables.ts";

/** What PostgreSQL did for some statements. */
export interface Explained {
  /** Blocks of 8 KiB that were read, from memory or disk. */
  readonly blocks: number;
  /** The execution time of all statements, in milliseconds. */
  readonly ms: number;
  /** The plans, as text. */
  readonly plans: string;
}

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A connection that reports the plan of every statement that it runs. */
export interface ExplainedDatabase {
  /** Runs `work` in a transaction that is rolled back, and returns what its statements cost. */
  explain(work: (tx: Queryable) => Promise<unknown>): Promise<Explained>;
  close(): Promise<void>;
}

class Rollback extends Error {}

/** Opens a connection to `url`. */
export function openExplained(url: string): ExplainedDatabase {
  let plans: Promise<postgres.RowList<postgres.Row[]>>[] = [];
  const client = postgres(url, { max: 1, onnotice: () => {} });

  /** Explains each statement before it runs. Both are sent at once and run in this order. */
  function explaining<Client extends postgres.Sql | postgres.TransactionSql>(one: Client): Client {
    const unsafe: postgres.Sql["unsafe"] = (text, values, options) => {
      const send = (statement: string, parameters?: typeof values) =>
        one.unsafe(statement, parameters).execute();
      send("savepoint explained");
      plans.push(send(`explain (analyze, buffers, format json) ${text}`, values));
      send("rollback to savepoint explained");
      return one.unsafe(text, values, options);
    };
    const begin = (work: (tx: postgres.TransactionSql) => unknown) =>
      (one as postgres.Sql).begin((tx) => work(explaining(tx)));
    return Object.assign(Object.create(one) as Client, { unsafe, begin });
  }

  const database = drizzle(explaining(client), { schema, casing: "snake_case" });
  return {
    async explain(work) {
      plans = [];
      await database
        .transaction(async (tx) => {
          await work(tx);
          throw new Rollback();
        })
        .catch((error) => {
          if (!(error instanceof Rollback)) throw error;
        });
      const explained = (await Promise.all(plans)).map(parsePlan);
      return {
        blocks: explained.reduce((sum, { plan }) => sum + blocksOf(plan), 0),
        ms: explained.reduce((sum, { ms }) => sum + ms, 0),
        plans: explained.map(({ plan }) => showNode(plan, 0)).join("\n"),
      };
    },
    close: () => client.end(),
  };
}

function parsePlan([row]: readonly postgres.Row[]): { plan: PlanNode; ms: number } {
  if (!row) throw new Error("a statement was not explained");
  // The format of `explain (format json)`.
  const [explained] = row["QUERY PLAN"] as [{ Plan: PlanNode; "Execution Time": number }];
  return { plan: explained.Plan, ms: explained["Execution Time"] };
}

/** Those of a node include those of its children. */
function blocksOf(node: PlanNode): number {
  return (node["Shared Hit Blocks"] ?? 0) + (node["Shared Read Blocks"] ?? 0);
}

function showNode(node: PlanNode, depth: number): string {
  const target = node["Index Name"] ?? node["Relation Name"] ?? "";
  const line = `${"  ".repeat(depth)}${node["Node Type"]} ${target} rows=${node["Actual Rows"]} blocks=${blocksOf(node)}`;
  return [line, ...(node.Plans ?? []).map((child) => showNode(child, depth + 1))].join("\n");
}
