import { describe, expect, it } from "vitest";
import { describeOperation } from "#components/playground/describe-operation.ts";
import { assignChainError } from "#components/playground/form/form-error.ts";
import { describeValues, stepResults } from "#components/playground/steps/describe-step.ts";
import { pathOfSteps } from "#components/playground/steps/link.ts";
import { toRunRequest, validateSteps } from "#components/playground/steps/run-request.ts";
import {
  canFollow,
  createStep,
  findBroken,
  isChainable,
  restoreSteps,
} from "#components/playground/steps/step.ts";
import { operations } from "#lib/operations/catalogue/index.ts";

const forms = operations.map(describeOperation);

function form(id: string) {
  const found = forms.find((one) => one.id === id);
  if (!found) throw new Error(`there is no ${id}`);
  return found;
}

const resize = createStep(form("image/resize"), { width: "320" });
const convert = createStep(form("image/convert"), { format: "webp" });
const print = createStep(form("document/html-to-image"), {});

describe("steps of a job", () => {
  it("an operation follows one whose output it takes", () => {
    expect(canFollow(convert.operation, resize.operation)).toBe(true);
    expect(canFollow(resize.operation, print.operation)).toBe(true);
    expect(canFollow(print.operation, resize.operation)).toBe(false);
    expect(canFollow(form("audio/normalize"), form("video/extract-audio"))).toBe(true);
    expect(canFollow(form("audio/normalize"), form("image/ocr"))).toBe(false);
    expect(findBroken([print, resize, convert])).toBeUndefined();
    expect(findBroken([resize, convert, print])).toBe(2);
  });

  it("has the results of the last run, up to the first step that has changed since", () => {
    const output = (name: string) => ({ filename: name, bytes: 1, url: `/${name}` });
    const steps = [{ output: output("a.jpg") }, { output: output("b.webp") }, { output: null }];
    const job = { status: "completed", outputs: [output("c.webp")] };
    const details = { job, steps } as unknown as Parameters<typeof stepResults>[2];
    const flip = createStep(form("image/flip"), { direction: "horizontal" });
    const sent = [resize, convert, flip];
    const namesOf = (now: typeof sent) =>
      [...stepResults(sent, now, details).values()].map(({ filename }) => filename);
    expect(namesOf(sent)).toEqual(["a.jpg", "b.webp", "c.webp"]);
    expect(namesOf([resize, { ...convert, values: { format: "png" } }, flip])).toEqual(["a.jpg"]);
    expect(namesOf([convert, resize, flip])).toEqual([]);
    expect(describeValues(convert)).toBe("format webp");
  });

  it("operations with several inputs, none, or further files are not offered in a chain", () => {
    for (const id of ["document/merge-pdf", "image/qr-code", "image/watermark-image"]) {
      expect(isChainable(form(id)), id).toBe(false);
    }
  });

  it("every operation that takes a file says what it produces, so that others can follow", () => {
    for (const { id, files, produces } of forms) {
      if (files.length > 0) expect(produces.length, id).toBeGreaterThan(0);
    }
    expect(form("image/convert").produces).toEqual(
      expect.arrayContaining(["webp", "avif", "png", "jpg"]),
    );
  });

  it("one step is sent as its operation, several as a chain with JSON values", () => {
    const source = { kind: "url", url: "https://example.com/a.jpg" } as const;
    expect(toRunRequest([resize], { file: [source] })).toEqual({
      path: "/dashboard/api/run",
      operation: "image/resize",
      fields: [["width", "320"]],
      sources: { file: [source] },
    });
    const chain = toRunRequest([resize, convert], { file: [source] });
    expect(chain).toMatchObject({ operation: "chain", sources: { file: [source] } });
    expect(JSON.parse(chain?.fields[0]?.[1] ?? "")).toEqual([
      { type: "image/resize", params: { width: 320 } },
      { type: "image/convert", params: { format: "webp" } },
    ]);
  });

  it("errors are found and shown at their step", () => {
    const source = { kind: "url", url: "https://example.com/a.jpg" } as const;
    const bad = createStep(form("image/convert"), { format: "webp", quality: "900" });
    expect(validateSteps([resize, bad], { file: [source] }, null, () => true)).toMatchObject({
      field: "quality",
      step: 1,
    });
    const message = "Operation 2, image/convert: `quality` must be a number from 1 to 100.";
    expect(
      assignChainError([resize.operation, bad.operation], message, "invalid_parameter"),
    ).toEqual({ field: "quality", message: "`quality` must be a number from 1 to 100.", step: 1 });
    expect(
      assignChainError(
        [resize.operation, bad.operation],
        "Operation 2, image/convert: the output of the operation before it must be JPEG.",
        "invalid_parameter",
      ),
    ).toMatchObject({ field: "form", step: 1, message: expect.stringContaining("Operation 2") });
  });

  it("a link has the steps without secrets", () => {
    const protect = createStep(form("document/protect-pdf"), { password: "hidden word" });
    const query = new URL(pathOfSteps([resize, protect]), "https://example.com").searchParams;
    expect(JSON.parse(query.get("operations") ?? "")).toEqual([
      { type: "image/resize", params: { width: 320 } },
      { type: "document/protect-pdf", params: {} },
    ]);
  });

  it("steps that were kept are restored, without operations that no longer exist", () => {
    const saved = [
      { operation: "image/resize", values: { width: "320" } },
      { operation: "image/gone", values: { width: "1" } },
    ];
    const restored = restoreSteps(saved, forms);
    expect(restored.map(({ operation }) => operation.id)).toEqual(["image/resize"]);
    expect(restored[0]?.values).toMatchObject({ width: "320", fit: "inside" });
  });
});
