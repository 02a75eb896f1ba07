import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { freePort, until } from "#tests/service/stack.ts";

export interface Pooler {
  /** The database through the pooler. */
  readonly url: string;
  /** How many transactions have passed. */
  countTransactions(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts PgBouncer in transaction mode in front of the database at `url`, with two connections to it. */
export async function startPooler(url: string): Promise<Pooler> {
  const target = new URL(url);
  const folder = await mkdtemp(join(tmpdir(), "mediamill-pgbouncer-"));
  const port = await freePort();
  const config = join(folder, "pgbouncer.ini");
  await writeFile(
    config,
    `[databases]
* = host=${target.hostname} port=${target.port} user=${target.username} password=${target.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
admin_users = admin
pool_mode = transaction
default_pool_size = 2
`,
  );
  // It does not run as root.
  const user = process.getuid?.() === 0 ? ["-u", "daemon"] : [];
  const child = spawn("/usr/sbin/pgbouncer", [...user, config], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  await once(child, "spawn");
  const admin = postgres(`postgres://admin@127.0.0.1:${port}/pgbouncer`, {
    max: 1,
    fetch_types: false,
    onnotice: () => {},
  });
  const readStats = () => admin.unsafe("show stats").simple();
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${output}`);
    return readStats().then(
      () => true,
      () => false,
    );
  }, 20_000);
  return {
    url: `postgres://client@127.0.0.1:${port}${target.pathname}`,
    async countTransactions() {
      const rows = await readStats();
      return rows.reduce((sum, row) => sum + Number(row.total_xact_count), 0);
    },
    async stop() {
      await admin.end();
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      await rm(folder, { recursive: true, maxRetries: 10 });
    },
  };
}
