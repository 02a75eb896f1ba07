import { expect, it } from "vitest";
import type { Batch } from "#components/playground/batch/use-batch.ts";
import type { FormOperation } from "#components/playground/form/form-field.ts";
import type { Sources } from "#components/playground/form/source.ts";
import { useDroppedFiles } from "#components/playground/state/use-dropped-files.ts";

const operation: FormOperation = {
  id: "image/test",
  group: "image",
  summary: "",
  files: [
    {
      part: "file",
      description: "",
      required: true,
      count: { min: 1, max: 1 },
      types: "",
      accept: "",
      extensions: ["jpg"],
      samples: [],
      sampleSet: [],
    },
  ],
  fields: [],
  isLive: false,
  produces: [],
  example: {},
};

it.each([
  ["takes its place", true, ["x.jpg"]],
  ["leaves it as it is while a batch runs", false, ["before.jpg"]],
])("a file that is dropped on a form with another one %s", async (_, mayChoose, expected) => {
  const asSource = (name: string) => ({ kind: "file", file: new File(["x"], name) }) as const;
  let sources: Sources = { file: [asSource("before.jpg")] };
  const files: Parameters<typeof useDroppedFiles>[1] = {
    sources,
    loading: false,
    onBusy: () => {},
    change: (part, change) => {
      sources = { ...sources, [part]: change(sources[part] ?? []) };
    },
  };
  const batch: Batch = {
    files: [],
    choose: () => mayChoose,
    run: undefined,
    start: () => {},
    retry: () => {},
    cancel: () => {},
  };
  const drop = useDroppedFiles(operation, files, batch);
  await drop([{ path: "x.jpg", file: new File(["x"], "x.jpg") }]);
  const names = (sources.file ?? []).map((one) => (one.kind === "file" ? one.file.name : ""));
  expect(names).toEqual(expected);
});
