import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import { planFill } from "#lib/formats/pdf/forms/plan-fill.ts";
import { formFields } from "#lib/operations/document/form-fields/index.ts";
import { encryptPdf } from "#tests/samples/pdf/encrypt-pdf.ts";
import { makeFormPdf } from "#tests/samples/pdf/pdf-form.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation, temporaryWorkFolder } from "#tests/support/operation.ts";
import { fillForm } from "./index.ts";

function save(bytes: Buffer) {
  const path = join(temporaryWorkFolder().root, "form.pdf");
  writeFileSync(path, bytes);
  return { path, type: "pdf" } as const;
}

async function fill(params: Record<string, unknown>, bytes = makeFormPdf()) {
  const { outputs, warnings } = await runOperation(fillForm, save(bytes), params);
  const path = outputs[0]?.path ?? "";
  expect(execProgram("qpdf", ["--check", path], { encoding: "utf8" })).toContain("No syntax");
  const { result } = await runOperation(formFields, { path, type: "pdf" });
  // The schema of form-fields.
  const fields = result?.fields as { name: string; value: unknown }[];
  return { path, warnings, values: new Map(fields.map(({ name, value }) => [name, value])) };
}

const read = (path: string) =>
  execProgram("pdftotext", ["-layout", path, "-"], { encoding: "utf8" });

/** The dark pixels in a rectangle of page 1 at 72 dpi. */
function countDark(path: string, [x, y, w, h]: readonly number[]): number {
  const crop = ["-x", `${x}`, "-y", `${y}`, "-W", `${w}`, "-H", `${h}`];
  const pgm = execProgram("pdftoppm", ["-r", "72", "-gray", "-singlefile", ...crop, path]);
  return pgm.subarray(-(w ?? 0) * (h ?? 0)).filter((value) => value < 160).length;
}

const all = {
  "person.name": "ليلى حداد",
  "person.note": "Two lines of text that are\nwrapped: 東京 and हिन्दी, Ελλάδα, 😀.",
  code: "7漢A",
  agree: true,
  color: "blå",
  city: "Tokyo",
  days: ["Mon", "Wed"],
  copy: "in two places",
};

test("the protection of a file that opens without a password stays", async () => {
  const { path } = save(makeFormPdf());
  encryptPdf(path, "", "--modify=form", "--extract=n");
  const filled = await fill({ values: { "person.name": "Ada" } }, readFileSync(path));
  expect(filled.values.get("person.name")).toBe("Ada");
  const info = execProgram("pdfinfo", [filled.path], { encoding: "utf8" });
  expect(info).toMatch(/Encrypted: +yes.*copy:no change:no addNotes:no/);
});

describe("filling", () => {
  test("stores and draws values of all types, in any script", async () => {
    const { path, values, warnings } = await fill({ values: all });
    expect(Object.fromEntries(values)).toEqual({
      ...all,
      city: "t",
      send: null,
      sign: false,
      locked: "fixed",
    });
    expect(warnings).toEqual([]);
    const text = read(path);
    for (const part of ["ليلى حداد", "東京", "हिन्दी", "Ελλάδα", "漢", "Tokyo", "Mon"]) {
      expect(text).toContain(part);
    }
    expect(text.match(/in two places/g)).toHaveLength(2);
    // Arabic begins at the right side of its field, Latin text at the left side.
    expect(countDark(path, [150, 20, 50, 20])).toBeGreaterThan(20);
    expect(countDark(path, [20, 20, 60, 20])).toBe(0);
    expect(countDark(path, [20, 166, 14, 14])).toBeGreaterThan(60);
    const fonts = execProgram("pdffonts", [path], { encoding: "utf8" }).split("\n").slice(2, -1);
    const embedded = fonts.filter((line) => !line.startsWith("Helvetica"));
    expect(embedded.filter((line) => !/ yes (yes|no) +yes +\d+ +0$/.test(line))).toEqual([]);
  });

  test("clears fields, leaves the others, and shows what the chosen list option is", async () => {
    const first = await fill({ values: { agree: "Yes", color: "red", days: "Tue" } });
    expect(first.values.get("person.name")).toBe("Ada");
    const bytes = readFileSync(first.path);
    const second = await fill(
      { values: { agree: false, color: null, "person.name": null } },
      bytes,
    );
    expect(second.values.get("agree")).toBe(false);
    expect(second.values.get("color")).toBeNull();
    expect(second.values.get("person.name")).toBe("");
    expect(second.values.get("days")).toBe("Tue");
  });

  test("flattening looks the same and leaves no field", async () => {
    const page = "/Rotate 90 /CropBox [10 10 390 290]";
    const [kept, flat] = await Promise.all(
      [false, true].map((flatten) => fill({ values: all, flatten }, makeFormPdf({ page }))),
    );
    const render = (path = "") => execProgram("pdftoppm", ["-r", "50", "-singlefile", path]);
    expect(flat?.values.size).toBe(0);
    const before = render(kept?.path);
    const after = render(flat?.path);
    expect(after.length).toBe(before.length);
    // Antialiasing differs a little.
    const changed = after.filter((value, at) => Math.abs(value - (before[at] ?? 0)) > 60).length;
    expect(changed).toBeLessThan(300);
    expect(after.filter((value) => value < 120).length).toBeGreaterThan(500);
    expect(read(flat?.path ?? "")).toContain("ليلى");
    expect(execProgram("qpdf", ["--qdf", flat?.path ?? "", "-"]).includes("/Widget")).toBe(false);
  });

  test("draws all values if the file has none drawn, and removes XFA", async () => {
    const form = "/NeedAppearances true /XFA (<xdp/>) /CO [8 0 R]";
    const { path, warnings } = await fill({ values: { code: "12" } }, makeFormPdf({ form }));
    expect(read(path)).toMatch(/Ada[\s\S]*fixed/);
    expect(warnings).toEqual([expect.stringMatching(/XFA/), expect.stringMatching(/JavaScript/)]);
    const source = execProgram("qpdf", ["--qdf", path, "-"], { encoding: "latin1" });
    expect(source).not.toMatch(/NeedAppearances|XFA/);
  });
});

describe("errors", () => {
  test.each([
    [{ nothing: "x" }, "`nothing` does not exist"],
    [{ code: "1234567" }, "`code` takes at most 6 characters"],
    [{ "person.name": "a\nb" }, "`person.name` takes only one line"],
    [{ "person.name": true }, "`person.name` takes a text"],
    [{ agree: "perhaps" }, "`agree` takes true or false, or `Yes`"],
    [{ color: "green" }, "`color` takes one of the options `red`, `blå`"],
    [{ city: "Oslo" }, "`city` takes one of the options `k`, `t`"],
    [{ city: ["k", "t"] }, "`city` takes only one option"],
    [{ send: "x" }, "`send` is a button"],
    [{ sign: "x" }, "`sign` is a signature"],
  ])("%j", async (values, message) => {
    const document = await PDFDocument.load(makeFormPdf());
    const expected = { code: "empty", message: expect.stringContaining(message) };
    expect(() => planFill(document, values)).toThrow(expect.objectContaining(expected));
  });

  test("an unknown field fails the job", async () => {
    const run = runOperation(fillForm, save(makeFormPdf()), { values: { nothing: "x" } });
    await expect(run).rejects.toMatchObject({ code: "empty" });
  });

  test("a file with a password to open and a damaged file", async () => {
    const { path } = save(makeFormPdf());
    encryptPdf(path, "open");
    const locked = runOperation(fillForm, { path, type: "pdf" }, { values: {} });
    await expect(locked).rejects.toMatchObject({ code: "encrypted" });
    const damaged = runOperation(fillForm, save(makeFormPdf().subarray(0, 90)), { values: {} });
    await expect(damaged).rejects.toMatchObject({ code: "corrupt" });
  });

  test.each([{}, { values: [] }, { values: { a: {} } }, { values: { a: "x".repeat(20_001) } }])(
    "rejects %#",
    (params) => expect(fillForm.params.safeParse(params).success).toBe(false),
  );
});
