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

/** Servers on loopback that end with the test, and networks that let them through. */

/** Short enough for tests, long enough for a busy machine. */
export const shortLimits = { connectMs: 400, headersMs: 400, chunkMs: 400, totalMs: 3000 };

/** A network whose guard allows exactly `allow`, and that keeps time in tenths of seconds. */
export function testNetwork(
  allow: readonly string[],
  rules: Partial<GuardRules> = {},
  limits: Partial<Network["limits"]> = {},
): Network {
  const guard = createGuard({ allow, ownHosts: [], ownAddresses: () => [], ...rules });
  return { guard, limits: { ...shortLimits, ...limits } };
}

/** An absolute path to a folder that goes when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "mediamill-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
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
  // A TCP server that listens has an address of this shape.
  return (server.address() as AddressInfo).port;
}

/** An HTTP server; returns its `host:port`. */
export async function httpServer(listener: RequestListener): Promise<string> {
  return `127.0.0.1:${await listen(createServer(listener))}`;
}

/** A server of raw bytes, for answers that no HTTP library would send; returns its `host:port`. */
export async function rawServer(onSocket: (socket: Socket) => void): Promise<string> {
  return `127.0.0.1:${await listen(createSocketServer(onSocket))}`;
}

/** Answers every connection with `bytes` once it has asked something, then ends or stays silent. */
export function rawAnswer(bytes: string, thenEnd = true): Promise<string> {
  return rawServer((socket) => {
    socket.once("data", () => {
      socket.write(bytes, "latin1");
      if (thenEnd) socket.end();
    });
  });
}

let certificate: { key: string; cert: string } | undefined;

/** An HTTPS server with a certificate for 127.0.0.1 that only `ca` vouches for. */
export async function httpsServer(
  listener: RequestListener,
): Promise<{ host: string; ca: string }> {
  certificate ??= makeCertificate();
  const port = await listen(createSecureServer(certificate, listener));
  return { host: `127.0.0.1:${port}`, ca: certificate.cert };
}

function makeCertificate() {
  const folder = mkdtempSync(join(tmpdir(), "mediamill-tls-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
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
  rmSync(folder, { recursive: true });
  return pair;
}
