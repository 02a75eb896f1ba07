import { createHash, createVerify, generateKeyPairSync } from "node:crypto";
import { globSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { pythonServers } from "#lib/setup/test-servers.mjs";
import { freePort } from "#tests/service/stack.ts";
import { s3Error, startHttpFront } from "./http-front.ts";
import { type RealStore, serve } from "./real-store.ts";

/**
 * fake-gcs-server, which serves Google's buckets. It knows no accounts: signatures are checked in front of it, by
 * Google's rules and with the public keys, and the errors of Google's XML API are made there.
 */

const bucket = "videos";

interface ServiceAccount {
  readonly email: string;
  readonly publicKey: string;
  readonly keyFile: string;
}

export async function startFakeGcs(): Promise<RealStore> {
  const port = await freePort();
  const [program = ""] = globSync(`${pythonServers}/lib/*/site-packages/fake_gcs_*/vendor/*/bin/*`);
  const here = ["-host", "127.0.0.1", "-port", String(port), "-public-host", `127.0.0.1:${port}`];
  const server = await serve(port, [program, "-backend", "memory", "-scheme", "http", ...here]);
  const made = await fetch(`http://127.0.0.1:${port}/storage/v1/b`, {
    method: "POST",
    body: JSON.stringify({ name: bucket }),
  });
  if (!made.ok) throw new Error(`the bucket was not made: ${made.status}`);
  const owner = makeAccount("owner");
  const reader = makeAccount("reader");
  const writer = makeAccount("writer");
  // With the name of the owner, and another key.
  const impostor = makeAccount("owner");
  const accounts = [owner, reader, writer];
  const stored = new Set<string>();
  const front = await startHttpFront({
    port,
    isFile: ({ url = "/" }) => pathOf(url).split("/").length > 2,
    decide(request) {
      const { method = "GET", url = "/", headers } = request;
      const account = accounts.find((one) => isSigned(request, one));
      if (!account) return { status: 403, body: s3Error("SignatureDoesNotMatch") };
      const isRead = method === "GET";
      if ((account === reader && !isRead) || (account === writer && isRead)) {
        return { status: 403, body: s3Error("AccessDenied") };
      }
      if (pathOf(url).split("/")[1] !== bucket)
        return { status: 404, body: s3Error("NoSuchBucket") };
      if (
        method === "PUT" &&
        headers["x-goog-if-generation-match"] === "0" &&
        stored.has(pathOf(url))
      ) {
        return { status: 412, body: s3Error("PreconditionFailed") };
      }
      return { headers: { ...headers, host: `127.0.0.1:${port}` } };
    },
    rewrite({ method, url = "/" }, status) {
      if (method === "PUT" && status === 200) stored.add(pathOf(url));
      if (method === "DELETE") stored.delete(pathOf(url));
      return undefined;
    },
    fullBody: s3Error("QuotaExceeded"),
  });
  const endpoint = `http://127.0.0.1:${front.port}`;
  return {
    type: "gcs",
    faults: front.faults,
    fields: { bucket, endpoint, service_account: owner.keyFile },
    others: {
      wrongSecret: { service_account: impostor.keyFile },
      readOnly: { service_account: reader.keyFile },
      noReading: { service_account: writer.keyFile },
      missingRoot: { bucket: "none" },
      privateAddress: { endpoint: "http://10.0.0.1:8080" },
    },
    secrets: [owner, reader, writer, impostor].flatMap(({ keyFile }) => linesOfKey(keyFile)),
    sentBytes: front.sentBytes,
    async close() {
      await front.close();
      await server.stop();
    },
  };
}

const pathOf = (url: string) => new URL(url, "http://store").pathname;

function makeAccount(name: string): ServiceAccount {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const email = `${name}@project.iam.gserviceaccount.com`;
  const keyFile = JSON.stringify({
    type: "service_account",
    client_email: email,
    private_key: privateKey,
  });
  return { email, publicKey, keyFile };
}

/** Lines from the middle of a key, of which each is a secret. */
function linesOfKey(keyFile: string): string[] {
  const { private_key: key } = JSON.parse(keyFile) as { private_key: string };
  return key.split("\n").slice(2, 5);
}

/** Whether the account has signed the request: by Google's rules for signatures of version 4. */
function isSigned(
  { method, url = "/", headers }: IncomingMessage,
  { email, publicKey }: ServiceAccount,
): boolean {
  const { pathname, searchParams, search } = new URL(url, "http://store");
  const [from, ...scope] = (searchParams.get("X-Goog-Credential") ?? "").split("/");
  if (from !== email) return false;
  const query = search
    .slice(1)
    .split("&")
    .filter((pair) => !pair.startsWith("X-Goog-Signature="))
    .sort();
  const signed = searchParams.get("X-Goog-SignedHeaders") ?? "";
  // Google's library signs the host without its port, which Google's own hosts do not have.
  const sent: NodeJS.Dict<unknown> = { ...headers, host: headers.host?.replace(/:\d+$/, "") };
  const lines = signed.split(";").map((name) => `${name}:${sent[name]}\n`);
  const request = [method, pathname, query.join("&"), lines.join(""), signed, "UNSIGNED-PAYLOAD"];
  const digest = createHash("sha256").update(request.join("\n")).digest("hex");
  const date = searchParams.get("X-Goog-Date");
  const text = ["GOOG4-RSA-SHA256", date, scope.join("/"), digest].join("\n");
  const signature = Buffer.from(searchParams.get("X-Goog-Signature") ?? "", "hex");
  return createVerify("RSA-SHA256").update(text).verify(publicKey, signature);
}
