import { expect, it } from "vitest";
import { networkReason, proxyReason } from "#lib/engines/chromium/page/failure-reason.ts";
import { listResources, ResourceLog } from "#lib/engines/chromium/page/resource-log.ts";

const base = "http://upload.invalid/";

it("names ten resources with their reasons, without the values of queries, and counts the others", () => {
  const log = new ResourceLog();
  log.add({ url: "https://a.example/x.png?token=secret", type: "Image", status: 404 });
  log.add({ url: "https://a.example/y.css", type: "Stylesheet", reason: "no response in time" });
  log.add({ url: `${base}logo.png`, type: "Image", status: 502 });
  log.add({ url: "https://a.example/beacon", type: "Ping", status: 500 });
  for (let index = 0; index < 12; index++) {
    log.add({ url: `https://a.example/${index}.png`, type: "Image", status: 404 });
  }
  const warnings = log.warnings(base);
  expect(warnings.slice(0, 3)).toEqual([
    "The image https://a.example/x.png?token= could not be loaded (status 404).",
    "The style sheet https://a.example/y.css could not be loaded (no response in time).",
    "The image logo.png could not be loaded.",
  ]);
  expect(warnings).toHaveLength(11);
  expect(warnings.at(-1)).toBe("5 more resources could not be loaded.");
});

it("only a server has a status, and what is listed in an error is limited", () => {
  const log = new ResourceLog();
  log.add({ url: `${base}a.css`, type: "Stylesheet", status: 404 });
  log.add({ url: "http://b.example/b.png", type: "Image", status: 502, reason: "it is away" });
  log.add({ url: "http://cdn.c.example/c.png", type: "Image", status: 404 });
  for (let index = 0; index < 10; index++) {
    log.add({ url: `http://d.example/${index}?token=secret`, type: "Image", status: 404 });
  }
  const list = (resources: Parameters<typeof listResources>[0]) => listResources(resources, base);
  expect(list(log.missing(base))).toBe(
    "style sheet a.css, image http://b.example/b.png (it is away)",
  );
  const failed = list(log.withStatus(() => true, [], base));
  expect(failed).toMatch(
    /^image http:\/\/cdn.c.example\/c.png \(status 404\), image http:\/\/d.example\/0\?token= /,
  );
  expect(failed).toMatch(/, 1 more$/);
  expect(log.withStatus(() => true, ["c.example", "d.example"], base)).toEqual([]);
});

it("a page that asks for thousands of long URLs has short warnings", () => {
  const log = new ResourceLog();
  for (let index = 0; index < 5000; index++) {
    log.add({ url: `https://a.example/${index}/${"x".repeat(5000)}`, type: "Image", status: 404 });
  }
  const warnings = log.warnings(base);
  expect(warnings.join("").length).toBeLessThan(5000);
  expect(warnings.at(-1)).toBe("At least 990 more resources could not be loaded.");
});

it("a failure of the proxy is not a status of the server, and a server cannot choose the text", () => {
  expect(proxyReason({ "X-Mediamill-Proxy-Failure": "address" })).toBe(
    "its address is not allowed",
  );
  expect(proxyReason({ "x-mediamill-proxy-failure": "<b>constructor</b>" })).toBeUndefined();
  expect(proxyReason({ "content-type": "text/html" })).toBeUndefined();
  expect(networkReason("net::ERR_CERT_DATE_INVALID")).toContain("certificate");
  expect(networkReason("net::ERR_FAILED")).toBeUndefined();
});
