import { describe, expect, it } from "vitest";
import { callerAddress, networkOf } from "#lib/net/caller-address.ts";

describe("the caller's IP address", () => {
  it.each([
    ["no proxy is trusted", "203.0.113.9", "198.51.100.1", 0, "203.0.113.9"],
    ["one proxy is trusted", "10.0.0.2", "198.51.100.1", 1, "198.51.100.1"],
    ["the caller forges entries", "10.0.0.2", "1.1.1.1, 198.51.100.1", 1, "198.51.100.1"],
    ["two proxies are trusted", "10.0.0.2", "1.1.1.1, 198.51.100.1, 10.0.0.3", 2, "198.51.100.1"],
    ["there are fewer entries than proxies", "10.0.0.2", "198.51.100.1", 5, "198.51.100.1"],
    ["a proxy sends no header", "10.0.0.2", undefined, 1, "10.0.0.2"],
    ["an entry is no IP address", "10.0.0.2", "unknown, <script>", 1, "10.0.0.2"],
    ["the socket reports IPv4 as IPv6", "::ffff:203.0.113.9", undefined, 0, "203.0.113.9"],
  ])("when %s", (_case, peer, forwarded, trusted, expected) => {
    expect(callerAddress(peer, forwarded, trusted)).toBe(expected);
  });
});

it("all addresses of one IPv6 subscriber are one network", () => {
  expect(networkOf("2001:db8:1:2:3::4")).toBe(networkOf("2001:db8:1:2:ffff::1"));
  expect(networkOf("2001:db8:1:2::1")).not.toBe(networkOf("2001:db8:1:3::1"));
  expect(networkOf("::ffff:192.0.2.1")).toBe("192.0.2.1");
});
