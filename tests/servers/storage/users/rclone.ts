import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#tests/service/stack.ts";
import { startHttpFront } from "./http-front.ts";
import { type RealStore, serve } from "./real-store.ts";

/** rclone, which serves a folder by WebDAV. It has one user: those who may do less have paths of their own in front of it. */

export async function startWebdav(): Promise<RealStore> {
  const port = await freePort();
  const home = await mkdtemp(join(tmpdir(), "mediamill-webdav-"));
  const folder = join(home, "files");
  mkdirSync(folder);
  const password = randomBytes(20).toString("hex");
  const wrongPassword = randomBytes(20).toString("hex");
  const login = ["--user", "anna", "--pass", password, "--dir-cache-time", "0s"];
  const rclone = await serve(
    port,
    ["rclone", "serve", "webdav", folder, "--addr", `127.0.0.1:${port}`, ...login],
    { env: { ...process.env, HOME: home, XDG_CACHE_HOME: join(home, "cache") } },
  );
  const writes = ["PUT", "MKCOL", "MOVE", "DELETE"];
  const front = await startHttpFront({
    port,
    isFile: ({ method = "GET" }) => ["GET", "PUT"].includes(method),
    decide({ method = "GET", url = "/", headers }) {
      const [, user, rest] = /^\/(read-only|no-reading)(\/.*)$/.exec(url) ?? [];
      if (rest === undefined) return {};
      const isRefused = user === "read-only" ? writes.includes(method) : method === "GET";
      const destination = String(headers.destination ?? "").replace(`/${user}/`, "/");
      const moved = headers.destination === undefined ? {} : { destination };
      return isRefused ? { status: 403 } : { url: rest, headers: { ...headers, ...moved } };
    },
    rewrite: () => undefined,
  });
  const url = `http://127.0.0.1:${front.port}`;
  return {
    type: "webdav",
    faults: front.faults,
    fields: { url, username: "anna", password },
    others: {
      wrongSecret: { password: wrongPassword },
      readOnly: { url: `${url}/read-only` },
      noReading: { url: `${url}/no-reading` },
      missingRoot: { url: `${url}/none/at/all` },
      privateAddress: { url: "http://10.0.0.1:8080" },
    },
    secrets: [
      password,
      wrongPassword,
      ...[password, wrongPassword].map((one) => Buffer.from(`anna:${one}`).toString("base64")),
    ],
    sentBytes: front.sentBytes,
    async close() {
      await front.close();
      await rclone.stop();
      await rm(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
