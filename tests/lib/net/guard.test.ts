import { describe, expect, it } from "vitest";
import { JobError } from "#lib/errors.ts";
import {
  type FetchPurpose,
  fetchPurposes,
  InvalidUrlError,
  parseFetchUrl,
} from "#lib/fetch-url.ts";
import { createGuard, isPublicAddress } from "#lib/net/guard.ts";

const publicHost = "93.184.215.14";

function guardWith(rules: Parameters<typeof createGuard>[0] = {}) {
  return createGuard({
    allow: [],
    serviceHosts: ["mediamill.example"],
    machineAddresses: () => ["51.15.1.1", "2a01:4f8::1"],
    resolve: async () => [publicHost],
    resolveMs: 50,
    ...rules,
  });
}

const check = async (text: string, guard = guardWith(), purpose: FetchPurpose = "inputs") => {
  const error = await guard.check(parseFetchUrl(text), purpose).then(
    () => undefined,
    (thrown) => thrown,
  );
  return error;
};

describe("which addresses are public", () => {
  const nonPublic = [
    ["0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200"],
    ["100.127.255.255", "127.0.0.1", "127.255.255.254", "169.254.0.1", "169.254.169.254"],
    ["172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.1", "192.88.99.1"],
    ["192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1"],
    ["239.255.255.255", "240.0.0.1", "255.255.255.255", "168.63.129.16", "192.175.48.1"],
    ["::", "::1", "::7f00:1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:10.0.0.1"],
    ["::ffff:a9fe:a9fe", "::ffff:0:127.0.0.1", "::ffff:0:a00:1", "64:ff9b::127.0.0.1"],
    [
      "64:ff9b::a9fe:a9fe",
      "64:ff9b:1::1",
      "64:ff9b:1::8.8.8.8",
      "100::1",
      "2001::1",
      "2001:1ff::1",
    ],
    ["2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::1", "3fff::1"],
    ["3fff:fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fdff::1", "fe80::1", "fe80::1%eth0"],
    ["febf::1", "fec0::1", "feff::1", "ff02::1", "ff0e::1", "4000::1", "1::1", "e000::1"],
    ["", "localhost", "not an address", "1.2.3", "::ffff:1.2.3.4.5"],
  ].flat();
  it.each(nonPublic)("%s is not", (address) => expect(isPublicAddress(address)).toBe(false));

  const isPublic = [
    ["1.1.1.1", "8.8.8.8", publicHost, "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1"],
    ["192.0.1.1", "192.167.1.1", "198.17.1.1", "198.20.0.1", "168.63.129.17", "223.255.255.255"],
    ["2606:4700::1111", "2a00:1450:4001::200e", "2001:4860:4860::8888", "3ffe::1"],
    ["::ffff:8.8.8.8", "::ffff:0:8.8.8.8", "64:ff9b::8.8.8.8"],
  ].flat();
  it.each(isPublic)("%s is", (address) => expect(isPublicAddress(address)).toBe(true));
});

describe("a URL", () => {
  it.each([
    ["http://example.com/a b.pdf", "http://example.com/a%20b.pdf"],
    ["HTTPS://EXAMPLE.com:443/x?y#z", "https://example.com/x?y#z"],
    ["  https://example.com", "https://example.com/"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["http://example.com?u=http://a@b/", "http://example.com/?u=http://a@b/"],
  ])("%s is valid", (text, href) => expect(parseFetchUrl(text).href).toBe(href));

  it.each([
    "",
    "example.com",
    "//example.com/x",
    "/etc/passwd",
    "file:///etc/passwd",
    "ftp://example.com/x",
    "gopher://example.com/x",
    "data:text/html,hello",
    "javascript:alert(1)",
    "blob:https://example.com/x",
    "http:///",
    "http:///example.com",
    "http:example.com",
    "http://",
    "http://:80/",
    "http:\\\\example.com\\x",
    "http://example.com\\@127.0.0.1/",
    "http://user@example.com/",
    "http://user:pass@example.com/",
    "http://:pass@example.com/",
    "http://example.com/\r\nHost: other",
    "http://exa\tmple.com/",
    "http://example.com/\0",
    "http://example.com:99999/",
    "http://1.2.3.4.5/",
    "http://[::1/",
    "http://exa mple.com/",
    "http://256.256.256.256/",
    `http://example.com/${"a".repeat(2048)}`,
  ])("%j is invalid", (text) => expect(() => parseFetchUrl(text)).toThrow(InvalidUrlError));
});

describe("the guard rejects", () => {
  it.each(
    [
      ["http://127.0.0.1/", "http://127.1/", "http://2130706433/", "http://0x7f000001/"],
      ["http://0177.0.0.1/", "http://017700000001/", "http://0x7f.1/", "http://①②⑦.0.0.1/"],
      [
        "http://１２７.0.0.1/",
        "http://127。0。0。1/",
        "http://0/",
        "http://0.0.0.0/",
        "http://127.0.0.1./",
      ],
      ["http://%31%32%37.0.0.1/", "http://[::1]/", "http://[::]/", "http://[::127.0.0.1]/"],
      ["http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[0:0:0:0:0:ffff:7f00:1]/"],
      ["http://[::ffff:0:127.0.0.1]/", "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/"],
      ["http://[fd00:ec2::254]/", "http://[fe80::1]/", "http://169.254.169.254/latest/meta-data/"],
      [
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://100.100.100.200/",
        "http://168.63.129.16/",
      ],
    ].flat(),
  )("%s", async (text) => expect(await check(text)).toBeInstanceOf(JobError));

  it.each([
    ["localhost", ["127.0.0.1"]],
    ["localhost.", ["127.0.0.1", "::1"]],
    ["metadata.google.internal", ["169.254.169.254"]],
    ["127.0.0.1.nip.io", ["127.0.0.1"]],
    ["mixed.example", [publicHost, "10.0.0.7"]],
    ["mixed6.example", ["2606:4700::1111", "::ffff:10.0.0.7"]],
    ["nothing.example", []],
    ["nonsense.example", ["not an address"]],
    ["this-machine.example", ["51.15.1.1"]],
    ["this-machine.example", ["::ffff:51.15.1.1"]],
    ["this-machine.example", ["2a01:04f8:0::1"]],
  ])("%s, which resolves to %j", async (host, addresses) => {
    const guard = guardWith({ resolve: async () => addresses });
    expect(await check(`http://${host}/`, guard)).toBeInstanceOf(JobError);
  });

  it.each([
    "http://mediamill.example/",
    "https://MEDIAMILL.example./v1/jobs",
    "http://mediamill.example:8080/",
  ])("the host of the service: %s", async (text) =>
    expect(await check(text)).toBeInstanceOf(JobError),
  );

  it.each([
    ["inputs", [22, 25, 81, 3000, 5432, 6379, 8081, 9000, 65535, 0]],
    ["webhooks", [22, 8080, 8443, 3000]],
  ] as const)("other ports for %s", async (purpose, ports) => {
    for (const port of ports) {
      const error = await check(`http://example.com:${port}/`, guardWith(), purpose);
      expect(error, `port ${port}`).toBeInstanceOf(JobError);
    }
  });

  it("with the same message for every reason", async () => {
    const never = guardWith({ resolve: () => new Promise(() => {}) });
    const unknown = guardWith({ resolve: () => Promise.reject(new Error("ENOTFOUND")) });
    const errors = [
      await check("http://127.0.0.1/"),
      await check("http://example.com:22/"),
      await check("http://mediamill.example/"),
      await check("http://unknown.example/", unknown),
      await check("http://slow.example/", never),
    ];
    expect(new Set(errors.map((error) => `${error.code} ${error.message}`)).size).toBe(1);
    expect(errors[0].code).toBe("address_refused");
    expect(errors[0].message).not.toMatch(/127|example/);
  });
});

describe("the guard accepts", () => {
  it.each([
    ["http://example.com/", 80],
    ["https://example.com/", 443],
    ["http://example.com:8080/", 8080],
    ["https://example.com:8443/", 8443],
  ])("%s at port %i, pinned", async (text, port) => {
    const checked = await guardWith().check(parseFetchUrl(text), "inputs");
    expect(checked).toMatchObject({ port, addresses: [publicHost] });
  });

  it("and returns all addresses in canonical form", async () => {
    const resolve = async () => ["::ffff:8.8.8.8", "2606:4700:0::1111"];
    const checked = await guardWith({ resolve }).check(
      parseFetchUrl("http://example.com"),
      "inputs",
    );
    expect(checked.addresses).toEqual(["8.8.8.8", "2606:4700::1111"]);
  });

  it("a name after resolving it once, and an IP address without resolving", async () => {
    let resolved = 0;
    const guard = guardWith({
      resolve: async () => {
        resolved++;
        return [publicHost];
      },
    });
    await guard.check(parseFetchUrl("http://example.com/"), "inputs");
    expect(resolved).toBe(1);
    await guard.check(parseFetchUrl("http://8.8.8.8/"), "inputs");
    expect(resolved).toBe(1);
  });

  it.each([
    [["127.0.0.1:9000"], "http://127.0.0.1:9000/", true],
    [["127.0.0.1:9000"], "http://127.1:9000/", true],
    [["127.0.0.1:9000"], "http://127.0.0.1:9001/", false],
    [["127.0.0.1:9000"], "http://127.0.0.2:9000/", false],
    [["127.0.0.1:9000"], "http://localhost:9000/", false],
    [["localhost:9000"], "http://localhost:9000/", true],
    [["localhost:9000"], "http://localhost.:9000/", false],
    [["localhost:80"], "http://localhost/", true],
    [["localhost:443"], "https://localhost/", true],
    [["localhost:443"], "http://localhost/", false],
    [["[0:0::1]:8080"], "http://[::1]:8080/", true],
    [["mediamill.example:80"], "http://mediamill.example/", true],
  ])("FETCH_ALLOW %j and %s: %s", async (allow, text, passes) => {
    const guard = guardWith({ allow, resolve: async () => ["127.0.0.1"] });
    expect((await check(text, guard)) === undefined).toBe(passes);
  });
});

it.each([
  ["inputs=[::1]:9000", ["inputs"]],
  ["webhooks=[0::1]:9000,127.0.0.1:9000", ["webhooks"]],
  ["pages=[::1]:9000,inputs=[::1]:9000", ["pages", "inputs"]],
  ["[::1]:9000", ["inputs", "webhooks", "pages", "exports", "connections"]],
])("FETCH_ALLOW %s allows its purposes only", async (allow, purposes) => {
  const guard = guardWith({ allow: allow.split(",") });
  for (const purpose of fetchPurposes) {
    const error = await check("http://[::1]:9000/", guard, purpose);
    expect(error === undefined, purpose).toBe(purposes.includes(purpose));
  }
});

describe("what can never be fetched is known without a name resolution", () => {
  const guard = guardWith({
    allow: ["10.0.0.7:9000"],
    resolve: async () => {
      throw new Error("nothing is resolved");
    },
  });
  it.each([
    ["http://10.0.0.1/", "host"],
    ["http://[::ffff:127.0.0.1]/", "host"],
    ["http://localhost/", "host"],
    ["http://a.localhost./", "host"],
    ["http://mediamill.example/", "host"],
    ["http://51.15.1.1/", "host"],
    ["http://example.com:8080/", "port"],
    [`http://${publicHost}:22/`, "port"],
    ["http://10.0.0.7:9000/", undefined],
    ["http://10.0.0.7:9001/", "port"],
    ["https://example.com/", undefined],
    ["http://localhost.example.com/", undefined],
    [`http://${publicHost}/`, undefined],
  ])("%s: %s", (text, obstacle) => {
    expect(guard.findObstacle(parseFetchUrl(text), "webhooks")).toBe(obstacle);
  });
});
