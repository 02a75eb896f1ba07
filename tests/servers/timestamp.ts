import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Issued, issue, keyUsage } from "#tests/samples/pdf/certificates.ts";
import { httpServer } from "./net.ts";

/** Time stamp servers (RFC 3161) on loopback. */

const run = promisify(execFile);

/** A certificate for a time stamp server. */
export const issueClock = (issuer: Issued) =>
  issue({
    name: "Clock",
    issuer,
    usage: keyUsage.sign,
    purposes: ["time"],
    isPurposeCritical: true,
  });

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Starts a server that responds with `makeResponse`, and returns its URL. */
export async function serveTimestamps(
  makeResponse: (request: Buffer) => Promise<Buffer>,
): Promise<string> {
  const host = await httpServer(async (request, response) => {
    const isQuery = request.headers["content-type"] === "application/timestamp-query";
    if (request.method !== "POST" || !isQuery) return void response.writeHead(400).end();
    const body = await makeResponse(await readBody(request));
    response.writeHead(200, { "content-type": "application/timestamp-reply" }).end(body);
  });
  return `http://${host}/tsa`;
}

/** The response of `openssl ts`. The digest of the signature is in the request. */
export async function respondWithOpenssl(clock: Issued, request: Buffer): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "timestamp-"));
  const path = (name: string) => join(folder, name);
  const settings = [
    "[tsa]",
    "default_tsa = clock",
    "[clock]",
    `serial = ${path("serial")}`,
    `signer_cert = ${path("clock.pem")}`,
    `signer_key = ${path("key.pem")}`,
    "signer_digest = sha256",
    "default_policy = 1.2.3.4.1",
    "digests = sha256",
    "ess_cert_id_alg = sha256",
    "accuracy = secs:1",
  ];
  try {
    await writeFile(path("tsa.cnf"), settings.join("\n"));
    await writeFile(path("serial"), "01");
    await writeFile(path("clock.pem"), clock.pem);
    await writeFile(path("key.pem"), clock.key.export({ format: "pem", type: "pkcs8" }));
    await writeFile(path("request.tsq"), request);
    const files = ["-queryfile", path("request.tsq"), "-out", path("response.tsr")];
    await run("openssl", ["ts", "-reply", "-config", path("tsa.cnf"), ...files]);
    return await readFile(path("response.tsr"));
  } finally {
    await rm(folder, { recursive: true, maxRetries: 10 });
  }
}
