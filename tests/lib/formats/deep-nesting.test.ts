import { expect, it } from "vitest";
import { rejectDeepNesting } from "#lib/formats/html/deep-nesting.ts";

it.each([
  ["elements without their end tags", "<div><b>".repeat(2501)],
  ["elements in one another", `${"<x-a>".repeat(5001)}${"</x-a>".repeat(5001)}`],
  ["names in capitals, with attributes", '<DIV class="a">\n'.repeat(5001)],
])("%s are nested too deeply", (_what, html) => {
  expect(() => rejectDeepNesting(html)).toThrow("The document is nested too deeply.");
});

it.each([
  ["as many in one another as are allowed", "<div><b>".repeat(2500)],
  ["one after the other", "<div><b>a</b></div>".repeat(20_000)],
  ["that the next one ends", "<p>a<li>b<tr><td>c<br><img src=a>".repeat(20_000)],
  ["of pictures", `<svg>${'<path d="M0 0"/>'.repeat(20_000)}</svg>`],
  ["without their end", "<div ".repeat(20_000)],
])("elements %s are not", (_what, html) => {
  expect(() => rejectDeepNesting(html)).not.toThrow();
});
