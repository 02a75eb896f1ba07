import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { readCms } from "#lib/formats/pdf/signatures/read-cms.ts";
import { verifySignatures } from "#lib/operations/document/verify-signatures/index.ts";
import { makePages } from "#tests/samples/pdf/drawn-pdf.ts";
import { encryptPdf } from "#tests/samples/pdf/encrypt-pdf.ts";
import { type KeyStoreOptions, makeKeyStore } from "#tests/samples/pdf/key-stores.ts";
import { makeFormPdf } from "#tests/samples/pdf/pdf-form.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation, temporaryWorkFolder } from "#tests/support/operation.ts";
import { signPdf } from "./index.ts";

const contract = "public/samples/inputs/contract.pdf";

/** RSA with the encryption of older programs, and EC. */
let stores: { rsa: string; ec: string };

function makeStore(options: KeyStoreOptions) {
  return makeKeyStore(temporaryWorkFolder().root, options);
}

async function sign(path: string, store: string, params: Record<string, unknown> = {}) {
  const certificate = { path: store, type: "p12" } as const;
  const sample = { path, type: "pdf" } as const;
  const all = { password: "gehéim", ...params };
  const { outputs } = await runOperation(signPdf, sample, all, { certificate });
  const signed = outputs[0]?.path ?? "";
  return {
    path: signed,
    report: execProgram("pdfsig", ["-nocert", signed], { encoding: "utf8" }),
  };
}

async function verify(path: string) {
  const { result, warnings } = await runOperation(verifySignatures, { path, type: "pdf" });
  expect(warnings).toEqual([]);
  // The schema of verify-signatures.
  return result?.signatures as Record<string, unknown>[];
}

const save = (bytes: Buffer) => {
  const path = join(temporaryWorkFolder().root, "file.pdf");
  writeFileSync(path, bytes);
  return path;
};

const render = (path: string) => execProgram("pdftoppm", ["-r", "30", "-singlefile", path]);

beforeAll(() => {
  const password = "gehéim";
  // The folder of the suite's first test is removed too early.
  const folder = execFileSync("mktemp", ["-d"], { encoding: "utf8" }).trim();
  stores = {
    rsa: makeKeyStore(folder, { key: "rsa", password, legacy: true }),
    ec: makeKeyStore(folder, { key: "ec", name: "مريم", password }),
  };
  return () => void execFileSync("rm", ["-r", folder]);
});

describe("signing", () => {
  test("makes a PAdES signature of the whole document, visible on empty space", async () => {
    const params = { reason: "Geprüft", location: "東京", visible: true };
    const { path, report } = await sign(contract, stores.rsa, params);
    expect(report).toMatch(/Total document signed\n.*Signature is Valid/);
    expect(report).toContain("Signature Type: ETSI.CAdES.detached");
    expect(report).toContain("Common Name: Ada Ødegård");
    const original = readFileSync(contract);
    const bytes = readFileSync(path);
    expect(bytes.subarray(0, original.length).equals(original)).toBe(true);
    expect(execProgram("qpdf", ["--check", path], { encoding: "utf8" })).toContain("No syntax");
    const text = execProgram("pdftotext", [path, "-"], { encoding: "utf8" });
    for (const part of ["Ada Ødegård", "Reason: Geprüft", "Location:", "東京"]) {
      expect(text).toContain(part);
    }
    const hex = /\/Contents <([0-9a-f]+)>/.exec(bytes.toString("latin1"))?.[1] ?? "";
    const cms = readCms(Buffer.from(hex, "hex"));
    expect(cms).toMatchObject({
      certificateHash: { algorithm: "sha256" },
      signingTime: undefined,
      digestAlgorithm: "sha256",
    });
  });

  test("a second signature keeps the first one, and an invisible one changes no pixel", async () => {
    const first = await sign(contract, stores.ec);
    expect(render(first.path).equals(render(contract))).toBe(true);
    const second = await sign(first.path, stores.rsa);
    expect(second.report.match(/Signature is Valid/g)).toHaveLength(2);
    expect(await verify(second.path)).toMatchObject([
      {
        field: "Signature1",
        signer: "مريم",
        valid: true,
        covers_whole_document: false,
        changed_after: ["signatures"],
      },
      { field: "Signature2", valid: true, covers_whole_document: true, changed_after: [] },
    ]);
  });

  test("signs in the empty signature field of a form, on compressed and rotated files", async () => {
    const path = save(makeFormPdf({ page: "/Rotate 90" }));
    execProgram("qpdf", ["--replace-input", "--object-streams=generate", path]);
    const { path: signed, report } = await sign(path, stores.ec, { visible: true });
    expect(report).toMatch(/Field Name: sign\n[\s\S]*Total document signed\n.*Signature is Valid/);
    const warnings = execProgram("qpdf", ["--check", signed], { encoding: "utf8" });
    expect(warnings).toContain("No syntax");
    // The field is 160 × 40 points, 220 and 160 from the top left of the page before its rotation.
    const text = execProgram("pdftotext", ["-bbox", signed, "-"], { encoding: "utf8" });
    const [, x = "", y = ""] = /xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>Digitally</.exec(text) ?? [];
    expect(Number(x)).toBeGreaterThan(100);
    expect(Number(x)).toBeLessThan(140);
    expect(Number(y)).toBeGreaterThan(220);
    expect(Number(y)).toBeLessThan(380);
  });

  test("repairs a file with damaged cross-references before it signs it", async () => {
    const text = makeFormPdf()
      .toString("latin1")
      .replace(/startxref\n\d+/, "startxref\n7");
    const { report } = await sign(save(Buffer.from(text, "latin1")), stores.ec);
    expect(report).toMatch(/Total document signed\n.*Signature is Valid/);
  });
});

test("the identifier of the file stays as it is", async () => {
  const id = Buffer.from([0xc3, 0x80, 0xff, 0x41, 0xe4]);
  const text = makePages([{}], { trailer: "/ID [(first) (x)]" }).toString("latin1");
  const bytes = Buffer.from(text.replace("first", id.toString("latin1")), "latin1");
  const { path } = await sign(save(bytes), stores.ec);
  const shown = execProgram("qpdf", ["--show-object=trailer", path], { encoding: "utf8" });
  expect(shown).toContain(`/ID [ <${id.toString("hex")}>`);
});

describe("errors", () => {
  test("a document whose author allows no changes", async () => {
    const certification =
      "<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 1 2 3] /Contents <00> /Reference [<< /TransformMethod /DocMDP /TransformParams 9 0 R >>] >>";
    const certified = (level: number) =>
      makePages([{}], {
        catalog: "/Perms << /DocMDP 10 0 R >>",
        extra: [`<< /Type /TransformParams /P ${level} >>`, certification],
      });
    const run = sign(save(certified(1)), stores.ec);
    await expect(run).rejects.toMatchObject({ message: expect.stringContaining("no changes") });
    await sign(save(certified(2)), stores.ec);
  });

  test.each<[string, KeyStoreOptions, string, string]>([
    ["wrong password", { password: "other" }, "encrypted", "not the password of the certificate"],
    ["no key", { key: "none", password: "gehéim" }, "empty", "no private key"],
    [
      "expired",
      { key: "rsa", expired: true, password: "gehéim" },
      "unsupported_type",
      "expired on 2020-01-08",
    ],
    ["Ed25519", { key: "ed25519", password: "gehéim" }, "unsupported_type", "RSA or EC"],
  ])("a certificate: %s", async (_, options, code, message) => {
    const run = sign(contract, makeStore(options));
    await expect(run).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test("a protected PDF, and a certificate that is none", async () => {
    const path = save(readFileSync(contract));
    const broken = save(Buffer.from("3003020103300", "hex"));
    await expect(sign(path, broken)).rejects.toMatchObject({ code: "corrupt" });
    encryptPdf(path, "");
    await expect(sign(path, stores.ec)).rejects.toMatchObject({ code: "encrypted" });
  });

  test.each([{}, { password: "x", reason: "a\nb" }, { password: "x", visible: "yes" }])(
    "rejects %j",
    (params) => expect(signPdf.params.safeParse(params).success).toBe(false),
  );
});
