import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import {
  installCommand,
  mcpCommand,
  type PackageKey,
  packageFiles,
  packageVersion,
} from "#lib/api/endpoints/packages/client-packages.ts";
import { projectFolder } from "#lib/setup/node24.mjs";
import { exchange } from "#tests/service/http/exchange.ts";

const { url } = inject("service");

const request = (path: string, init?: RequestInit) => fetch(`${url}/packages${path}`, init);

// Object.entries types keys as text.
const keys = Object.keys(packageFiles) as PackageKey[];
const built = (key: PackageKey) =>
  readFileSync(join(projectFolder, "packages/dist", packageFiles[key].file));

describe.each(keys)("the file of %s", (key) => {
  const { file, name, contentType } = packageFiles[key];

  it("is what the build made, with its type, its name, its length and a validator", async () => {
    const response = await request(`/${name}`);
    expect(Buffer.from(await response.arrayBuffer()).equals(built(key))).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": contentType,
      "content-disposition": `attachment; filename="${file}"`,
      "content-length": String(built(key).length),
      "cache-control": "public, no-cache",
      "x-content-type-options": "nosniff",
      etag: `"${hash("sha256", built(key)).slice(0, 32)}"`,
    });
  });

  it("is also there under its name with the version", async () => {
    const response = await request(`/${file}`, { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-length")).toBe(String(built(key).length));
  });

  it("is not sent again to a client that has it", async () => {
    const etag = (await request(`/${name}`, { method: "HEAD" })).headers.get("etag") ?? "";
    const response = await request(`/${name}`, { headers: { "If-None-Match": etag } });
    expect([response.status, await response.text()]).toEqual([304, ""]);
  });
});

it.each([
  "/mediamill-0.9.0-py3-none-any.whl",
  "/.sources",
  "/..%2f..%2fpackage.json",
  "/simple/other/",
  "/simple",
  "/mediamill-sdk.tgz/",
  "/constructor",
])("%s is a 404 in the form of the API", async (path) => {
  const { status, headers, body } = await exchange(url, { path: `/packages${path}` });
  expect([status, headers["x-error-code"]]).toEqual([404, "not_found"]);
  expect(Object.keys(JSON.parse(body))).toEqual(["error"]);
});

it.each(["/../package.json", "/%2e%2e/sdk/package.json", "/../packages/sdk/package.json"])(
  "%s leads to no file",
  async (path) => {
    const { status, body } = await exchange(url, { path: `/packages${path}` });
    expect(status).toBe(404);
    expect(body).not.toContain('"version":');
  },
);

it("the message about another version names the files of this one", async () => {
  const { error } = await (await request("/mediamill-0.9.0-py3-none-any.whl")).json();
  expect(error).toContain(`of version ${packageVersion}: mediamill-sdk.tgz,`);
});

it("no method changes anything", async () => {
  const response = await request("/mediamill-sdk.tgz", { method: "PUT", body: "x" });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
});

it("the index for pip names the wheel with its digest", async () => {
  const root = await (await request("/simple/")).text();
  expect(root).toContain('<a href="mediamill/">mediamill</a>');
  const page = await request("/simple/mediamill/");
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const text = await page.text();
  const [, href = "", requires] =
    /<a href="([^"]+)" data-requires-python="&gt;=([\d.]+)">/.exec(text) ?? [];
  const project = readFileSync(join(projectFolder, "packages/python/pyproject.toml"), "utf8");
  expect(project).toContain(`requires-python = ">=${requires}"`);
  const wheel = new URL(href, page.url);
  expect(wheel.hash).toBe(`#sha256=${hash("sha256", built("python"))}`);
  expect((await fetch(wheel)).status).toBe(200);
});

it("the page and llms.txt have the line for each client", async () => {
  const page = await (await request("")).text();
  const index = await (await fetch(`${url}/llms.txt`)).text();
  const full = await (await fetch(`${url}/llms-full.txt`)).text();
  const plain = page.replaceAll(/<[^>]+>/g, "").replaceAll("&amp;", "&");
  for (const line of [...keys.map((key) => installCommand(key, url)), mcpCommand(url)]) {
    expect(plain).toContain(line);
    expect(index).toContain(line);
  }
  for (const key of keys) expect(full).toContain(installCommand(key, url));
  expect(full).toContain(`"args": ["-y", "${url}/packages/mediamill-cli.tgz", "mcp"]`);
  expect(/\{\{(?:install|baseUrl)/.exec(full)?.[0]).toBeUndefined();
});
