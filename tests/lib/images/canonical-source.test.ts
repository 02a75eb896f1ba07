import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalPrefix, canonicalSource } from "#lib/images/sources/canonical-source.ts";

it.each([
  ["https://example.com/\u{e9}t\u{e9}/", "https://example.com/%C3%A9t%C3%A9/"],
  ["https://example.com/my photos/", "https://example.com/my%20photos/"],
  ["https://example.com/my ", "https://example.com/my%20"],
  ["https://Example.com/p/", "https://example.com/p/"],
  ["HTTPS://example.com:443/p", "https://example.com/p"],
  ["https://example.com/a/../b/", "https://example.com/b/"],
  ["https://example.com?id=1", "https://example.com/?id=1"],
  ["https://b\u{fc}cher.example/p/", "https://xn--bcher-kva.example/p/"],
])("a prefix is written as sources are: %s", (prefix, expected) => {
  expect(canonicalPrefix(prefix)).toBe(expected);
});

it.each([
  "https://example.com/a%2",
  "https://example.com/a%",
  "https://example.com/a/..",
  "https://example.com/a/.",
  "https://example.com/a/%2e",
  "https://example.com/photos/2026-",
  "https://example.com/a?",
  "https://example.com/",
  "https://example.com",
  "https://exa",
  "https://example.com:44",
  "https://",
  "https:///",
  "https://[::/",
  "https://example.com/a#b",
  "http",
  "upload_0Vc5260mqY5FsygyKaf4h4gy",
  "conn_0Vc5260mqY5FsygyKaf4h4gy:My photos/",
  "",
])("a prefix that ends anywhere stays as it is: %j", (prefix) => {
  expect(canonicalPrefix(prefix)).toBe(prefix);
});

it("every source begins with the prefixes of its text that have a host", () => {
  const segment = fc.string({ unit: fc.constantFrom(..."aZ09.%~ é'\"{|+&=") });
  const path = fc.array(segment.filter((text) => !/^\.+$/.test(text)));
  fc.assert(
    fc.property(path, fc.nat(), (segments, length) => {
      const host = "https://Example.com/";
      const source = `${host}${segments.join("/")}x`;
      const prefix = source.slice(0, host.length + (length % (source.length - host.length)));
      expect(canonicalSource(source).startsWith(canonicalPrefix(prefix))).toBe(true);
    }),
  );
});
