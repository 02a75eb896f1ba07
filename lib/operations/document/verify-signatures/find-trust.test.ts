import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type Issued,
  type IssueOptions,
  issue,
  keyUsage,
} from "#tests/samples/pdf/certificates.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";
import { findTrust, type TrustQuestion } from "./find-trust.ts";

const now = new Date("2026-06-01");

let root: Issued;
let authority: Issued;

beforeAll(async () => {
  root = await issue({ name: "Root", isAuthority: true });
  authority = await issue({ name: "Authority", issuer: root, isAuthority: true });
});

const signerOf = (options: Partial<IssueOptions> = {}) =>
  issue({ name: "Signer", issuer: authority, usage: keyUsage.sign, ...options });

function trustOf(
  signer: Issued,
  others: readonly Issued[] = [authority],
  question: Partial<TrustQuestion> = {},
) {
  return findTrust({
    signer: signer.parsed,
    others: others.map(({ parsed }) => parsed),
    roots: [root.pem],
    purpose: "document",
    times: [now],
    ...question,
  });
}

const trusted = { trust: "trusted", problem: null };

const invalid = (problem: RegExp) => ({
  trust: "invalid_certificate",
  problem: expect.stringMatching(problem),
});

/** Whether openssl finds that the path leads to the root. */
function opensslVerifies(signer: Issued, others: readonly Issued[], ...args: string[]): boolean {
  const folder = temporaryWorkFolder().root;
  const save = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const files = [
    "-CAfile",
    save("root.pem", root.pem),
    "-untrusted",
    save("others.pem", others.map(({ pem }) => pem).join("")),
    save("signer.pem", signer.pem),
  ];
  try {
    execProgram("openssl", ["verify", ...args, ...files]);
    return true;
  } catch {
    return false;
  }
}

describe("a document", () => {
  test("is trusted with certificates for documents and mail, and without a stated purpose", async () => {
    for (const purposes of [undefined, ["document"], ["mail"], ["server", "document"]] as const) {
      const signer = await signerOf(purposes && { purposes });
      expect(await trustOf(signer)).toEqual(trusted);
      expect(opensslVerifies(signer, [authority])).toBe(true);
    }
    expect(await trustOf(await signerOf({ issuer: root }), [])).toEqual(trusted);
    expect(await trustOf(root, [])).toMatchObject(
      invalid(/^The certificate of Root is not for sig/),
    );
  });

  test.each<[string, Partial<IssueOptions>, RegExp]>([
    ["a web server's certificate", { purposes: ["server"] }, /such as a web server/],
    ["a server's and client's", { purposes: ["server", "client"] }, /such as a web server/],
    ["one for time stamps", { purposes: ["time"] }, /not for signing documents/],
    ["a key for encryption", { usage: keyUsage.encipher }, /of Signer is not for signatures/],
    ["an expired one", { to: "2026-05-31" }, /of Signer expired on 2026-05-31/],
    ["one of the future", { from: "2026-06-02" }, /valid only from 2026-06-02/],
    ["a critical unknown extension", { unknownExtension: "1.2.3.4" }, /not supported/],
    ["a signature with SHA-1", { hash: "SHA-1" }, /no longer secure/],
  ])("is not trusted with %s", async (_, options, problem) => {
    expect(await trustOf(await signerOf(options))).toEqual(invalid(problem));
  });

  test.each<[string, Partial<IssueOptions>, RegExp]>([
    ["expired", { isAuthority: true, to: "2026-05-31" }, /of Middle expired/],
    ["no authority", { isAuthority: false, usage: keyUsage.certify }, /not that of a certif/],
    ["without constraints", { usage: keyUsage.certify }, /not that of a certification authority/],
    ["for web servers", { isAuthority: true, purposes: ["server"] }, /for this purpose/],
    ["forbidden the name", { isAuthority: true, excludes: "Signer" }, /constraints/],
  ])("is not trusted if an authority is %s", async (_, options, problem) => {
    const issuer = await issue({ name: "Middle", issuer: root, ...options });
    const signer = await signerOf({ issuer });
    expect(await trustOf(signer, [issuer])).toEqual(invalid(problem));
    // It looks at the purposes of authorities only if it is asked for one.
    const verifies = opensslVerifies(signer, [issuer], "-attime", `${now.getTime() / 1000}`);
    expect(verifies).toBe(options.purposes !== undefined);
  });

  test("is not trusted if an authority allows no other one below it", async () => {
    const upper = await issue({ name: "Upper", issuer: root, isAuthority: true, pathLength: 0 });
    const lower = await issue({ name: "Lower", issuer: upper, isAuthority: true });
    const signer = await signerOf({ issuer: lower });
    expect(await trustOf(signer, [lower, upper])).toEqual(invalid(/Upper allows fewer/));
    expect(await trustOf(await signerOf({ issuer: upper }), [upper])).toEqual(trusted);
    expect(opensslVerifies(signer, [lower, upper])).toBe(false);
  });

  test("has an unknown issuer without the authority, its root, or the right key", async () => {
    const signer = await signerOf();
    const unknown = { trust: "unknown_issuer", problem: null };
    expect(await trustOf(signer, [])).toEqual(unknown);
    expect(await trustOf(signer, [authority], { roots: [] })).toEqual(unknown);
    const namesake = await issue({ name: "Authority", issuer: root, isAuthority: true });
    expect(await trustOf(signer, [namesake])).toEqual(unknown);
    const alone = await issue({ name: "Alone" });
    expect(await trustOf(alone)).toEqual({ trust: "self_signed", problem: null });
    expect(await trustOf(alone, [], { roots: [alone.pem] })).toEqual(trusted);
  });

  test("is trusted by the valid one of two paths, and loops of authorities end", async () => {
    const { keys } = authority;
    const expired = await issue({
      name: "Authority",
      issuer: root,
      isAuthority: true,
      keys,
      to: "2021-01-01",
    });
    const signer = await signerOf();
    for (const others of [
      [expired, authority],
      [authority, expired],
    ]) {
      expect(await trustOf(signer, others)).toEqual(trusted);
    }
    const first = await issue({ name: "First", isAuthority: true });
    const second = await issue({ name: "Second", issuer: first, isAuthority: true });
    const back = await issue({
      name: "First",
      issuer: second,
      isAuthority: true,
      keys: first.keys,
    });
    const looped = await signerOf({ issuer: second });
    expect(await trustOf(looped, [first, second, back])).toMatchObject({ trust: "unknown_issuer" });
  });

  test("must be valid at all given times", async () => {
    const signer = await signerOf({ from: "2022-01-01", to: "2023-01-01" });
    const then = new Date("2022-06-01");
    expect(await trustOf(signer, [authority], { times: [then] })).toEqual(trusted);
    expect(await trustOf(signer, [authority], { times: [then, now] })).toEqual(invalid(/expired/));
  });
});

test("a time stamp is trusted only with a certificate for nothing else", async () => {
  const trust = async (options: Partial<IssueOptions>) =>
    trustOf(await signerOf(options), [authority], { purpose: "timestamp" });
  expect(await trust({ purposes: ["time"], isPurposeCritical: true })).toEqual(trusted);
  for (const purposes of [undefined, ["document"], ["time", "server"]] as const) {
    expect(await trust(purposes ? { purposes } : {})).toEqual(invalid(/not for time stamps/));
  }
});
