import { describe, expect, it } from "vitest";
import { startCanary } from "#tests/hostile/canary.ts";
import { allowed, printPage } from "#tests/samples/pages.ts";
import { readPdf } from "#tests/samples/pdf/pdf.ts";

/** Tests that need a server that a page may reach. The others are in bad-pages.test.ts. */

describe("an allowed server cannot redirect a page", () => {
  it.each([
    ["a file", "file://SECRET"],
    ["loopback", "http://127.0.0.1:PORT/a"],
    ["loopback of IPv6", "http://[::1]:PORT/a"],
    ["a name for loopback", "http://localhost:PORT/a"],
    ["a private network", "http://10.0.0.1/a"],
    ["a cloud metadata service", "http://169.254.169.254/latest/meta-data/"],
    ["itself, in an endless loop", "http://HOST/redirect-to/HOST"],
    ["an internal page of the browser", "chrome://version"],
  ])("to %s", async (_, target) => {
    const { port, secretFile: secret } = await startCanary();
    const { host } = new URL(allowed.url);
    const address = target.replace("SECRET", secret).replace("PORT", `${port}`);
    const to = `/redirect-to/${encodeURIComponent(address.replaceAll("HOST", host))}`;
    const html = `<p>still</p><img src="${to}"><iframe src="${to}"></iframe><link rel=stylesheet href="${to}"><script src="${to}"></script><script>fetch("${to}").then((r) => r.text()).then((t) => document.write(t), () => {})</script>`;
    const { path } = await printPage(html, {}, { url: `${allowed.url}/` });
    expect(readPdf(path).text).toBe("still");
    expect(allowed.requests.some((visit) => visit.startsWith("/redirect-to/"))).toBe(true);
  });
});

it("a page finds no data of the previous page", async () => {
  const url = `${allowed.url}/`;
  await printPage(
    `<script>document.cookie = "a=MARKER"; localStorage.a = "MARKER"; indexedDB.open("a"); caches?.open("MARKER")</script>`,
    {},
    { url },
  );
  // A page is printed when nothing is loading, so the requests wait for the databases.
  const busy = `let done = false; (async () => { while (!done) await fetch("/data") })();`;
  const read = `<p id=p></p><script>${busy} (async () => { const all = [document.cookie, localStorage.a, (await indexedDB.databases()).length, (await caches?.keys())?.length]; p.textContent = JSON.stringify(all); done = true })()</script>`;
  expect(readPdf((await printPage(read, {}, { url })).path).text).toBe('["",null,0,0]');
});
