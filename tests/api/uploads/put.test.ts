import { expect, it } from "vitest";
import { Client } from "#tests/service/http/client.ts";
import { createUpload, type Multipart } from "#tests/service/http/uploads.ts";

const client = new Client();
const origin = "https://app.example.com";
const put = (url: string, body: string) => fetch(url, { method: "PUT", body, headers: { origin } });

const corsOf = ({ status, headers }: Response) => [
  status,
  headers.get("access-control-allow-origin"),
];

it("pages of any origin can send the file of an upload by one PUT, and read why it was rejected", async () => {
  const { url } = await createUpload(client, { bytes: 4, method: "put" });
  const preflight = await fetch(url, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "PUT",
      "access-control-request-headers": "content-type",
    },
  });
  expect(corsOf(preflight)).toEqual([204, "*"]);
  expect(preflight.headers.get("access-control-allow-methods")?.split(", ")).toContain("PUT");
  expect(preflight.headers.get("access-control-allow-headers")?.split(", ")).toContain(
    "Content-Type",
  );
  expect(corsOf(await put(url, "too long"))).toEqual([400, "*"]);
  expect(corsOf(await put(`${url.slice(0, -1)}x`, "abcd"))).toEqual([403, "*"]);
  const sent = await put(url, "abcd");
  expect(corsOf(sent)).toEqual([204, "*"]);
  expect(sent.headers.get("access-control-expose-headers")).toContain("X-Request-Id");
  expect(corsOf(await put(url, "abcd"))).toEqual([409, "*"]);
});

it("and read why the URL of a part is rejected", async () => {
  const upload = await createUpload<Multipart>(client, { bytes: 4, method: "multipart" });
  const [part] = upload.parts;
  expect(corsOf(await put(`${part?.url.slice(0, -1)}x`, "abcd"))).toEqual([403, "*"]);
  const forged = `${upload.complete_url.slice(0, -1)}x`;
  expect(corsOf(await fetch(forged, { method: "POST", headers: { origin } }))).toEqual([403, "*"]);
});
