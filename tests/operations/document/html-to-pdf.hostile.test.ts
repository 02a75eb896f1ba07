import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { obstinatePages, reachingPages } from "#tests/support/bad-documents.ts";
import { temporaryFolder } from "#tests/support/net.ts";
import { allowed, forbidden, printPage } from "#tests/support/pages.ts";
import { readPdf } from "#tests/support/pdf.ts";

describe("a hostile page still prints and reaches nothing", () => {
  it.each(reachingPages)("by $id", async ({ html }) => {
    const { path } = await printPage(html(forbidden.address));
    expect(readPdf(path).text).toContain("still");
    expect(forbidden.visits).toEqual([]);
  });

  it.each(obstinatePages)("with $id", async ({ html }) => {
    const { path } = await printPage(html(forbidden.address));
    expect(readPdf(path).text).toContain("still");
  });

  it("cannot read files", async () => {
    const secret = join(temporaryFolder(), "secret.html");
    await writeFile(secret, "MARKER");
    const url = `file://${secret}`;
    const { path } = await printPage(
      `<p>still</p><iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}"><meta http-equiv=refresh content="0;url=${url}"><script>fetch("${url}").then((r) => r.text()).then((t) => document.write(t), () => {})</script><iframe src="file:///usr/share/common-licenses/BSD"></iframe>`,
    );
    expect(readPdf(path).text).toBe("still");
  });

  it("finds nothing of the page before", async () => {
    const url = `${allowed.address}/`;
    await printPage(
      `<script>document.cookie = "a=MARKER"; localStorage.a = "MARKER"</script>`,
      {},
      { url },
    );
    const read = `<p id=p></p><script>p.textContent = "[" + document.cookie + localStorage.a + "]"</script>`;
    expect(readPdf((await printPage(read, {}, { url })).path).text).toBe("[undefined]");
  });
});
