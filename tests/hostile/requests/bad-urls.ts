/** Bad inputs: URLs that must not be fetched. */

/** Valid URLs, so that a request with them is accepted. The job must not connect to any of them. */
export const blockedUrls: readonly string[] = [
  ["http://127.0.0.1/", "http://127.1/", "http://127.0.1/", "http://2130706433/"],
  ["http://0x7f000001/", "http://0x7f.1/", "http://0177.0.0.1/", "http://017700000001/"],
  ["http://①②⑦.⓪.⓪.①/", "http://１２７.0.0.1/", "http://127。0。0。1/", "http://127.0.0.1./"],
  ["http://%31%32%37.0.0.1/", "http://127.255.255.254/", "https://127.0.0.1/", "HTTP://127.0.0.1/"],
  ["http://0/", "http://0.0.0.0/", "http://0.1.2.3/"],
  ["http://localhost/", "http://LOCALHOST/", "http://localhost./", "http://sub.localhost/"],
  ["http://[::1]/", "http://[::]/", "http://[0:0:0:0:0:0:0:1]/", "http://[::7f00:1]/"],
  ["http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[::ffff:0:127.0.0.1]/"],
  ["http://[64:ff9b::127.0.0.1]/", "http://[64:ff9b::a9fe:a9fe]/", "http://[64:ff9b:1::1]/"],
  ["http://[2002:7f00:1::]/", "http://[2001::1]/", "http://[fe80::1]/", "http://[fec0::1]/"],
  ["http://[fc00::1]/", "http://[fd00:ec2::254]/", "http://[ff02::1]/", "http://[100::1]/"],
  ["http://10.0.0.1/", "http://172.16.0.1/", "http://192.168.0.1/", "http://100.64.0.1/"],
  ["http://169.254.169.254/latest/meta-data/", "http://metadata.google.internal/"],
  ["http://168.63.129.16/", "http://100.100.100.200/", "http://192.0.0.192/"],
  ["http://192.0.2.1/", "http://198.51.100.1/", "http://203.0.113.1/", "http://198.18.0.1/"],
  ["http://192.88.99.1/", "http://224.0.0.1/", "http://240.0.0.1/", "http://255.255.255.255/"],
  ["http://no.such.name.invalid/", "http://127.0.0.1:443/", "http://127.0.0.1:22/"],
  // A public address with a forbidden port.
  ["http://93.184.215.14:22/", "http://93.184.215.14:25/"],
].flat();

/** URLs that the request's validation rejects. */
export const malformedUrls: readonly string[] = [
  "",
  "127.0.0.1",
  "//127.0.0.1/",
  "/etc/passwd",
  "file:///etc/passwd",
  "ftp://127.0.0.1/",
  "gopher://127.0.0.1/",
  "data:text/html,hello",
  "javascript:alert(1)",
  "http:///",
  "http:///127.0.0.1/",
  "http:127.0.0.1",
  "http:\\\\127.0.0.1\\",
  "http://example.com\\@127.0.0.1/",
  "http://user@127.0.0.1/",
  "http://user:pass@127.0.0.1/",
  "http://example.com/\r\nHost: 127.0.0.1",
  "http://exa\tmple.com/",
  "http://example.com/\0",
  "http://127.0.0.1:99999/",
  "http://[fe80::1%25eth0]/",
  "http://[::1/",
  "http://256.256.256.256/",
  `http://example.com/${"a".repeat(2048)}`,
];
