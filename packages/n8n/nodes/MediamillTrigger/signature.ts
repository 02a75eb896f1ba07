import { createHmac, timingSafeEqual } from "node:crypto";

/** Older and newer webhooks are rejected, so that no one can send one again. */
const maxAgeSeconds = 300;

/** Whether the headers sign `body` with `secret`, as Standard Webhooks says. */
export function isSigned(
  body: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  secret: string,
): boolean {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    String(headers[`webhook-${name}`] ?? ""),
  ) as [string, string, string];
  if (secret === "" || id === "") return false;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= maxAgeSeconds)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest();
  return signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
