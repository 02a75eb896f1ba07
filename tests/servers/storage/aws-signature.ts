import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

/**
 * Whether the URL of a request has a valid AWS Signature Version 4 in its query, for the method and
 * headers of the request. Computes the signature and compares it.
 */
export function isSignedUrl({ method, headers, url }: IncomingMessage, secret: string): boolean {
  const { pathname, searchParams } = new URL(url ?? "/", "http://store");
  const signature = searchParams.get("X-Amz-Signature");
  const query = [...searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort();
  const signed = searchParams.get("X-Amz-SignedHeaders") ?? "";
  const lines = signed.split(";").map((name) => `${name}:${headers[name]}\n`);
  const request = [method, pathname, query.join("&"), lines.join(""), signed, "UNSIGNED-PAYLOAD"];
  const [, ...scope] = (searchParams.get("X-Amz-Credential") ?? "").split("/");
  const digest = createHash("sha256").update(request.join("\n")).digest("hex");
  const date = searchParams.get("X-Amz-Date");
  const text = ["AWS4-HMAC-SHA256", date, scope.join("/"), digest].join("\n");
  const key = scope.reduce(
    (last: Buffer, part) => createHmac("sha256", last).update(part).digest(),
    Buffer.from(`AWS4${secret}`),
  );
  return createHmac("sha256", key).update(text).digest("hex") === signature;
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
