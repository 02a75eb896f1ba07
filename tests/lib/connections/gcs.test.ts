import { createHash, createVerify, generateKeyPairSync } from "node:crypto";
import { expect, it } from "vitest";
import { createGcsSigner } from "#lib/connections/stores/gcs.ts";
import type { SignedRequest } from "#lib/connections/stores/store.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const access = {
  bucket: "files",
  clientEmail: "robot@project.iam.gserviceaccount.com",
  privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
};

/** Whether Google would accept the request: by its rules for signatures of version 4. */
function isSigned(method: string, { url, headers }: SignedRequest): boolean {
  const { host, pathname, searchParams, search } = new URL(url);
  const signature = Buffer.from(searchParams.get("X-Goog-Signature") ?? "", "hex");
  const query = search
    .slice(1)
    .split("&")
    .filter((pair) => !pair.startsWith("X-Goog-Signature="))
    .sort()
    .join("&");
  const lower = Object.entries({ ...headers, host }).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  const sent = Object.fromEntries(lower) as Record<string, string>;
  const signed = searchParams.get("X-Goog-SignedHeaders") ?? "";
  const lines = signed.split(";").map((name) => `${name}:${sent[name]}\n`);
  const request = [method, pathname, query, lines.join(""), signed, "UNSIGNED-PAYLOAD"].join("\n");
  const [, ...scope] = (searchParams.get("X-Goog-Credential") ?? "").split("/");
  const digest = createHash("sha256").update(request).digest("hex");
  const date = searchParams.get("X-Goog-Date");
  const text = ["GOOG4-RSA-SHA256", date, scope.join("/"), digest].join("\n");
  return createVerify("RSA-SHA256").update(text).verify(publicKey, signature);
}

it("requests for a bucket of Google Cloud Storage are signed by the key of the service account", async () => {
  const signer = createGcsSigner(access);
  const path = "a/фото #1 %20?+&.txt";
  const read = await signer.get(path);
  expect(isSigned("GET", read)).toBe(true);
  expect(isSigned("DELETE", read)).toBe(false);
  expect(decodeURIComponent(new URL(read.url).pathname)).toBe(`/files/${path}`);
  const options = { contentType: "text/plain", overwrite: false };
  const put = await signer.put(path, options);
  expect(isSigned("PUT", put)).toBe(true);
  expect(put.headers["x-goog-if-generation-match"]).toBe("0");
  const { headers } = await signer.put(path, { ...options, overwrite: true });
  expect(headers).toEqual({ "Content-Type": "text/plain" });
  expect(isSigned("DELETE", await signer.delete(path))).toBe(true);
  expect(isSigned("GET", await signer.list({ prefix: "a b/", cursor: "x=", limit: 2 }))).toBe(true);
});

it("a key that is none is named", async () => {
  const signer = createGcsSigner({ ...access, privateKey: "not a key, and twenty characters" });
  await expect(signer.get("a.txt")).rejects.toThrow("private key cannot sign");
});
