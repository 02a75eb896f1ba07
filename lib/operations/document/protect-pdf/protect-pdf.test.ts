import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { unlockPdf } from "#lib/operations/document/unlock-pdf/index.ts";
import { runWatched } from "#tests/hostile/watched-run.ts";
import { makePdf } from "#tests/samples/metadata.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation, temporaryWorkFolder } from "#tests/support/operation.ts";
import { protectPdf } from "./index.ts";
import { permissions } from "./permissions.ts";

const contract = { path: "public/samples/inputs/contract.pdf", type: "pdf" } as const;
const password = "Grüße \\ 漢字 'x'";

const info = (path: string, ...args: string[]) =>
  execProgram("pdfinfo", [...args, path], { encoding: "utf8" });
const text = (path: string, ...args: string[]) =>
  execProgram("pdftotext", [...args, path, "-"], { encoding: "utf8" });

/** The lines of `qpdf --show-encryption`. */
function readEncryption(path: string, given: string): string {
  const file = join(temporaryWorkFolder().root, "password");
  writeFileSync(file, given);
  const args = ["--show-encryption", `--password-file=${file}`, path];
  return execProgram("qpdf", args, { encoding: "utf8" });
}

async function protect(params: Record<string, unknown>, sample: { path: string } = contract) {
  const { outputs, warnings } = await runOperation(protectPdf, { ...contract, ...sample }, params);
  return { path: outputs[0]?.path ?? "", pages: outputs[0]?.pages, warnings };
}

describe("protection", () => {
  test("encrypts with AES-256 and opens only with a password", async () => {
    const { path, pages } = await protect({
      password,
      owner_password: "the owner",
      permissions: [],
    });
    expect(pages).toBe(1);
    expect(() => info(path)).toThrow(/Incorrect password/);
    const found = info(path, "-upw", password);
    expect(found).toContain("print:no copy:no change:no addNotes:no algorithm:AES-256");
    expect(text(path, "-opw", "the owner")).toBe(text(contract.path));
    expect(readEncryption(path, password)).toMatch(/R = 6\n[\s\S]*file encryption method: AESv3/);
  });

  test.each([
    ["print", "print high resolution"],
    ["print-low-resolution", "print low resolution"],
    ["copy", "extract for any purpose"],
    ["modify", "modify other"],
    ["annotate", "modify annotations"],
    ["fill-forms", "modify forms"],
    ["assemble", "modify document assembly"],
  ])("allows only %s", async (permission, line) => {
    const lines = readEncryption(
      (await protect({ password, permissions: [permission] })).path,
      password,
    );
    expect(lines).toContain(`${line}: allowed`);
    const always = "extract for accessibility";
    const allowed = lines.match(/^.*(?=: allowed$)/gm)?.filter((name) => name !== always) ?? [];
    const implied = permission === "print" ? ["print low resolution"] : [];
    expect(allowed.toSorted()).toEqual([line, ...implied].toSorted());
  });

  test("allows everything by default, and leaves no password in the folder", async () => {
    const work = temporaryWorkFolder();
    const params = { password, owner_password: "the owner's 1" };
    const { outputs } = await runWatched({ operation: protectPdf, sample: contract, params, work });
    const lines = readEncryption(outputs[0]?.path ?? "", password);
    expect(lines).not.toContain("not allowed");
    expect(readdirSync(join(work.root, "tmp"))).toEqual([]);
  });

  test("makes another owner password each time if none is given", async () => {
    const first = await protect({ password });
    const second = await protect({ password });
    expect(readEncryption(first.path, password)).not.toContain("owner");
    expect(readFileSync(first.path).equals(readFileSync(second.path))).toBe(false);
    expect(() => info(first.path, "-opw", "")).toThrow(/Incorrect password/);
  });
});

describe("unlocking", () => {
  test.each([password, "the owner"])("removes all protection with %s", async (given) => {
    const { path } = await protect({ password, owner_password: "the owner", permissions: [] });
    const { outputs } = await runOperation(unlockPdf, { path, type: "pdf" }, { password: given });
    const unlocked = outputs[0]?.path ?? "";
    expect(info(unlocked)).toMatch(/Encrypted: +no/);
    expect(text(unlocked)).toBe(text(contract.path));
    expect(execProgram("qpdf", ["--check", unlocked], { encoding: "utf8" })).toContain("No syntax");
  });

  test("fails with a wrong password", async () => {
    const { path } = await protect({ password });
    const run = runOperation(unlockPdf, { path, type: "pdf" }, { password: "guess" });
    await expect(run).rejects.toMatchObject({
      code: "encrypted",
      message: "The password is not the password of the PDF.",
    });
  });

  test("returns a PDF without protection unchanged, with any password", async () => {
    const { outputs } = await runOperation(unlockPdf, contract, { password });
    expect(text(outputs[0]?.path ?? "")).toBe(text(contract.path));
  });
});

test("a protected PDF cannot be protected again", async () => {
  const { path } = await protect({ password });
  await expect(protect({ password }, { path })).rejects.toMatchObject({ code: "encrypted" });
  const restricted = join(temporaryWorkFolder().root, "restricted.pdf");
  execProgram("qpdf", ["--encrypt", "", "o", "256", "--", contract.path, restricted]);
  const run = protect({ password }, { path: restricted });
  await expect(run).rejects.toMatchObject({
    code: "encrypted",
    message: expect.stringContaining("unlock-pdf"),
  });
});

test("a signed PDF completes with a warning", async () => {
  const path = join(temporaryWorkFolder().root, "signed.pdf");
  writeFileSync(path, Buffer.concat([makePdf(), Buffer.from("% /ByteRange\n")]));
  const { warnings } = await protect({ password }, { path });
  expect(warnings).toEqual([expect.stringMatching(/signatures of the PDF are no longer valid/)]);
});

test.each([
  {},
  { password: "" },
  { password: "a\0b" },
  { password: "漢".repeat(43) },
  { password: "same", owner_password: "same" },
  { password, permissions: ["everything"] },
  { password, permissions: [...permissions, "print"] },
])("rejects %j", (params) => {
  expect(protectPdf.params.safeParse(params).success).toBe(false);
});
