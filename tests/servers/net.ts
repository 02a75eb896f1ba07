import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Server,
  type Socket,
} from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createGuard, type GuardRules } from "#lib/net/guard.ts";
import type { Network } from "#lib/net/network.ts";

/** Servers on loopback that stop when the test ends, and networks that allow them. */

/** Time limits for tests of them, and of nothing else: a busy machine may need longer for a response. */
export const shortTimeLimits = { connectMs: 400, headersMs: 400, chunkMs: 400, totalMs: 3000 };

const longTimeLimits = { connectMs: 60_000, headersMs: 60_000, chunkMs: 60_000, totalMs: 60_000 };

/** A network whose guard allows only the hosts `allow`, with limits that no test reaches except `limits`. */
export function testNetwork(
  allow: readonly string[],
  rules: Partial<GuardRules> = {},
  limits: Partial<Network["limits"]> = {},
): Network {
  const guard = createGuard({ allow, serviceHosts: [], machineAddresses: () => [], ...rules });
  return { purpose: "inputs", guard, limits: { ...longTimeLimits, ...limits } };
}

/** Creates a folder that is removed when the test ends; returns its absolute path. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "mediamill-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

async function listen(server: Server, port = 0): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  // A listening TCP server has an address of this type.
  return (server.address() as AddressInfo).port;
}

/** Starts an HTTP server; returns its `host:port`. */
export async function httpServer(listener: RequestListener): Promise<string> {
  return `127.0.0.1:${await listen(createServer(listener))}`;
}

/** Starts a TCP server, for responses that no HTTP library sends; returns its `host:port`. */
export async function rawServer(onSocket: (socket: Socket) => void): Promise<string> {
  return `127.0.0.1:${await listen(createSocketServer(onSocket))}`;
}

/** Starts a server that responds to every request with `bytes`, then closes or keeps the connection. */
export function rawResponseServer(bytes: string, thenEnd = true): Promise<string> {
  return rawServer((socket) => {
    socket.once("data", () => {
      socket.write(bytes, "latin1");
      if (thenEnd) socket.end();
    });
  });
}

let certificate: { key: string; cert: string } | undefined;

/** Starts an HTTPS server with a certificate for 127.0.0.1 that only `ca` has signed. */
export async function httpsServer(
  listener: RequestListener,
): Promise<{ host: string; ca: string }> {
  certificate ??= makeCertificate();
  const port = await listen(createSecureServer(certificate, listener));
  return { host: `127.0.0.1:${port}`, ca: certificate.cert };
}

function makeCertificate() {
  const folder = mkdtempSync(join(tmpdir(), "mediamill-tls-"));
  const key = join(folder, "key.pem");
  const cert = join(folder, "cert.pem");
  const subject = ["-subj", "/CN=loopback", "-addext", "subjectAltName=IP:127.0.0.1"];
  const kind = [
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-days",
    "2",
  ];
  execFileSync("openssl", ["req", "-x509", ...kind, ...subject, "-keyout", key, "-out", cert], {
    stdio: "ignore",
  });
  const pair = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  rmSync(folder, { recursive: true, maxRetries: 10 });
  return pair;
}
