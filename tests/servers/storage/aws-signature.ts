import { createHash, createHmac } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

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
  const date = searchParams.get("X-Amz-Date") ?? "";
  return sign(request.join("\n"), date, scope, secret) === signature;
}

interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The headers of a request, with a signature among them. Its body is not signed. */
export function signByHeader(
  { method, url, headers }: Request,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
  { region, service }: { readonly region: string; readonly service: string },
): Record<string, string> {
  const { host, pathname, searchParams } = new URL(url);
  const date = new Date().toISOString().replace(/[:-]|\.\d+/g, "");
  const all: Record<string, string> = {
    ...(headers as Record<string, string>),
    host,
    "x-amz-content-sha256": "UNSIGNED-PAYLOAD",
    "x-amz-date": date,
    ...(sessionToken === undefined ? {} : { "x-amz-security-token": sessionToken }),
  };
  const names = Object.keys(all).filter((name) => name === "host" || name.startsWith("x-amz-"));
  const signed = names.sort().join(";");
  const lines = names.map((name) => `${name}:${all[name]}\n`).join("");
  const request = [
    method,
    pathname,
    canonicalQuery(searchParams),
    lines,
    signed,
    "UNSIGNED-PAYLOAD",
  ];
  const scope = [date.slice(0, 8), region, service, "aws4_request"];
  const signature = sign(request.join("\n"), date, scope, secretAccessKey);
  const credential = `Credential=${accessKeyId}/${scope.join("/")}`;
  const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${signed}, Signature=${signature}`;
  return { ...all, authorization };
}

function sign(request: string, date: string, scope: readonly string[], secret: string): string {
  const digest = createHash("sha256").update(request).digest("hex");
  const text = ["AWS4-HMAC-SHA256", date, scope.join("/"), digest].join("\n");
  const key = scope.reduce(
    (last: Buffer, part) => createHmac("sha256", last).update(part).digest(),
    Buffer.from(`AWS4${secret}`),
  );
  return createHmac("sha256", key).update(text).digest("hex");
}

/** The query as it is signed. */
export function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&");
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
