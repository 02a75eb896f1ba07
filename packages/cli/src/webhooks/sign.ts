import { createHmac, randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UsageError } from "../errors.ts";
import { stateFolder } from "../settings/folders.ts";

/** The headers of an event, signed as the service signs its webhooks (Standard Webhooks). */
export function signedHeaders(
  secret: string,
  id: string,
  at: Date,
  body: string,
): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "user-agent": "Mediamill-Webhooks/1.0",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}

/** The secret with which this machine signs events: it stays the same, so that a receiver can keep it. */
export async function signingSecret(given: string | undefined): Promise<string> {
  if (given !== undefined) {
    if (/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(given)) return given;
    throw new UsageError("--secret must be whsec_ and at least 16 base64 characters.");
  }
  const path = join(stateFolder(), "webhook-secret");
  const known = (await readFile(path, "utf8").catch(() => "")).trim();
  if (known) return known;
  const secret = `whsec_${randomBytes(24).toString("base64")}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, `${secret}\n`, { mode: 0o600 });
  return secret;
}
