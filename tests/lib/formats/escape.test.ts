import { expect, test } from "vitest";
import { escapeHtml, escapeText, escapeXml } from "#lib/formats/markup/escape.ts";

test("text is escaped once, and quotes only where an attribute may follow", () => {
  const text = `<a title="&lt;">'`;
  expect(escapeText(text)).toBe(`&lt;a title="&amp;lt;"&gt;'`);
  expect(escapeHtml(text)).toBe("&lt;a title=&quot;&amp;lt;&quot;&gt;'");
});

test("XML has no control characters and no half characters", () => {
  expect(escapeXml("a\u0000\u0008\u000b\uffff\ud800\tb\n&")).toBe("a\ufffd\tb\n&amp;");
});
