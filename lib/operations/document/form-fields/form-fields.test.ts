import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { encryptPdf } from "#tests/samples/pdf/encrypt-pdf.ts";
import { makePdfBytes, pdfStream } from "#tests/samples/pdf/pdf-bytes.ts";
import { makeFormPdf } from "#tests/samples/pdf/pdf-form.ts";
import { runOperation, temporaryWorkFolder } from "#tests/support/operation.ts";
import { formFields } from "./index.ts";

function save(bytes: Buffer) {
  const path = join(temporaryWorkFolder().root, "form.pdf");
  writeFileSync(path, bytes);
  return { path, type: "pdf" } as const;
}

interface Field {
  readonly name: string;
  readonly box: object;
  readonly widgets: object[];
  readonly value?: unknown;
}

async function list(bytes: Buffer) {
  const { result, outputs, warnings } = await runOperation(formFields, save(bytes));
  expect(JSON.parse(readFileSync(outputs[0]?.path ?? "", "utf8"))).toEqual(result);
  // The schema of the worker's reply has checked that it is a list.
  const fields = result?.fields as Field[];
  return { fields, field: (name: string) => fields.find((field) => field.name === name), warnings };
}

test.each([
  ["plain", "", "Ein l\xe4ngerer Text", "Ein längerer Text"],
  ["in UTF-16", "", "\xfe\xff\x04\x16", "Ж"],
  ["compressed", "/Filter /FlateDecode", deflateSync("A long text"), "A long text"],
])("the value of a field may be a stream, %s", async (_, filter, data, value) => {
  const field =
    "/Type /Annot /Subtype /Widget /FT /Tx /T (long) /Rect [10 10 90 90] /V 5 0 R /P 3 0 R";
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] /DA (/Helv 12 Tf 0 g) >> >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Annots [4 0 R] >>",
    `<< ${field} >>`,
    pdfStream(filter, typeof data === "string" ? Buffer.from(data, "latin1") : data),
  ];
  const { fields } = await list(makePdfBytes({ objects }));
  expect(fields[0]?.value).toBe(value);
});

test("lists fields of all types", async () => {
  const { fields, field, warnings } = await list(makeFormPdf());
  expect(fields.map(({ name }) => name)).toEqual(
    "person.name person.note code agree color city days send sign locked copy".split(" "),
  );
  expect(warnings).toEqual([]);
  const place = { page: 1, box: { left: 20, top: 20, width: 180, height: 20 } };
  expect(field("person.name")).toEqual({
    name: "person.name",
    type: "text",
    label: "Your name",
    value: "Ada",
    default: "Bob",
    required: true,
    read_only: false,
    multiline: false,
    ...place,
    widgets: [place],
  });
  expect(field("person.note")).toMatchObject({ multiline: true, value: null });
  expect(field("code")).toMatchObject({ type: "text", max_length: 6, required: false });
  expect(field("agree")).toMatchObject({ type: "checkbox", value: false });
  expect(field("color")).toMatchObject({
    type: "radio",
    value: null,
    options: [{ value: "red" }, { value: "blå" }],
    widgets: [{ option: "red" }, { option: "blå", page: 1, box: { left: 80, top: 166 } }],
  });
  const cities = [
    { value: "k", label: "Copenhagen" },
    { value: "t", label: "Tokyo" },
  ];
  expect(field("city")).toMatchObject({
    type: "dropdown",
    value: "k",
    options: cities,
    editable: false,
  });
  expect(field("days")).toMatchObject({ type: "list", multiple: true, value: null });
  expect(field("send")).toMatchObject({ type: "button", value: null });
  expect(field("sign")).toMatchObject({ type: "signature", value: false });
  expect(field("locked")).toMatchObject({ read_only: true, value: "fixed", page: 2 });
  expect(field("copy")?.widgets).toMatchObject([{ page: 1 }, { page: 2, box: { top: 60 } }]);
});

test.each([
  [90, { left: 240, top: 10, width: 20, height: 180 }],
  [180, { left: 190, top: 240, width: 180, height: 20 }],
  [270, { left: 10, top: 190, width: 20, height: 180 }],
])("measures boxes on the visible part of a page rotated by %d degrees", async (angle, box) => {
  const page = `/CropBox [10 20 390 290] /Rotate ${angle}`;
  const { field } = await list(makeFormPdf({ page }));
  expect(field("person.name")?.box).toEqual(box);
});

test("says that a form has a part in XFA", async () => {
  const { warnings } = await list(makeFormPdf({ form: "/XFA (<xdp/>)" }));
  expect(warnings).toEqual([expect.stringContaining("XFA")]);
});

const noForm = [
  "<< /Type /Catalog /Pages 2 0 R >>",
  "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] >>",
];

test("reads a restricted PDF, and a PDF without a form", async () => {
  const { path } = save(makeFormPdf());
  encryptPdf(path, "");
  expect((await list(readFileSync(path))).fields).toHaveLength(11);
  expect((await list(makePdfBytes({ objects: noForm }))).fields).toEqual([]);
});

test("fields that contain themselves end the list", async () => {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R 4 0 R 1 0 R (x)] >> >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Annots [4 0 R] >>",
    "<< /T (a) /Kids [4 0 R 5 0 R] /Parent 5 0 R >>",
    "<< /T (b) /FT /Tx /Kids [4 0 R 5 0 R] /Parent 4 0 R >>",
  ];
  const { fields } = await list(makePdfBytes({ objects }));
  expect(fields.length).toBeLessThan(4);
});

test("a damaged file and an encrypted file are reported", async () => {
  const damaged = runOperation(formFields, save(makeFormPdf().subarray(0, 200)));
  await expect(damaged).rejects.toMatchObject({ code: "corrupt" });
  const { path } = save(makeFormPdf());
  encryptPdf(path, "user");
  const locked = runOperation(formFields, { path, type: "pdf" });
  await expect(locked).rejects.toMatchObject({ code: "encrypted" });
});

test("takes no parameters", () => {
  expect(formFields.params.safeParse({ page: 1 }).success).toBe(false);
});
