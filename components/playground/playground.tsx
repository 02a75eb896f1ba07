"use client";

import { PlayIcon } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { JobActs } from "#components/jobs/job-actions.tsx";
import { Button } from "#components/ui/button.tsx";
import { checkForm } from "./check-form.ts";
import { CodeDialog } from "./code-dialog.tsx";
import { type FormError, placeError } from "./field-of-error.ts";
import { FileField } from "./fields/file-field.tsx";
import { ParameterField } from "./fields/parameter-field.tsx";
import type { FormOperation } from "./form-field.ts";
import { OperationPicker } from "./operation-picker.tsx";
import { RunPanel } from "./run-panel.tsx";
import type { Source, Sources } from "./source.ts";
import { useLoadedInputs } from "./use-loaded-inputs.ts";
import { useRun } from "./use-run.ts";
import { carryValues, type FormValues, initialValues, sentValues } from "./values.ts";

/** A file of an earlier job, to begin with. */
export interface StartFile {
  readonly part: string;
  readonly name: string;
  /** Where it is on our host; null: it must come from its address again. */
  readonly url: string | null;
  readonly address: string | null;
}

export interface PlaygroundProps {
  readonly operations: readonly FormOperation[];
  readonly start: {
    readonly operation: string;
    /** Of an earlier job; without them the form begins with its defaults. */
    readonly values?: FormValues;
    readonly files?: readonly StartFile[];
  };
  /** Bytes of one file; null is unlimited. */
  readonly maxFileBytes: number | null;
  readonly baseUrl: string;
  readonly cancel: JobActs["cancel"];
}

/** Try an operation: choose it, fill in its form, run it and compare. */
export function Playground({ operations, start, maxFileBytes, baseUrl, cancel }: PlaygroundProps) {
  const find = (id: string) => operations.find((operation) => operation.id === id);
  const [operation, setOperation] = useState(() => find(start.operation) ?? operations[0]);
  const [values, setValues] = useState<FormValues>(() =>
    operation ? (start.values ?? initialValues(operation)) : {},
  );
  const [sources, setSources] = useState<Sources>({});
  const [error, setError] = useState<FormError>();
  const form = useRef<HTMLFormElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  /** What was wrong with a field is no longer, once it holds something else. */
  const forgive = (field: string) =>
    setError((before) => (before?.field === field ? undefined : before));
  const setSource = (part: string, source: Source | undefined) => {
    setSources((before) => ({ ...before, [part]: source }));
    forgive(part);
  };
  const setValue = (name: string, value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    forgive(name);
  };
  const [samplesOnTheirWay, setSamplesOnTheirWay] = useState(0);
  const countSample = (isBusy: boolean) =>
    setSamplesOnTheirWay((before) => before + (isBusy ? 1 : -1));
  const loading = useLoadedInputs(start.files ?? [], setSource) || samplesOnTheirWay > 0;
  const run = useRun((sentence, code) => {
    if (operation) setError(placeError(operation, sentence, code));
  });
  // Once what is wrong is drawn as wrong, each time anew.
  useEffect(() => {
    if (!error) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true], [role=alert]")?.focus();
  }, [error]);
  if (!operation) return null;

  function choose(id: string) {
    const next = find(id);
    if (!next || !operation || next === operation) return;
    setOperation(next);
    setValues(carryValues(values, operation, next));
    setError(undefined);
    run.reset();
    window.history.replaceState(null, "", `/dashboard/playground?operation=${id}`);
  }

  function submit(event?: FormEvent) {
    event?.preventDefault();
    if (!operation || run.state.kind === "sending" || loading) return;
    const wrong = checkForm(operation, values, sources, maxFileBytes);
    if (wrong) return setError(wrong);
    setError(undefined);
    showPanel();
    const parts = operation.files.map(({ part }) => [part, sources[part]] as const);
    void run.start({
      operation: operation.id,
      fields: sentValues(operation.fields, values),
      sources: Object.fromEntries(parts),
    });
  }

  /** On a narrow page the result is below everything that was filled in. */
  function showPanel() {
    const top = panel.current?.getBoundingClientRect().top ?? 0;
    if (top > window.innerHeight / 2) panel.current?.scrollIntoView({ block: "start" });
  }

  function runByKey(event: KeyboardEvent) {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit();
  }

  const errorOf = (name: string) => (error?.field === name ? error.sentence : undefined);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
      <form
        ref={form}
        noValidate
        onSubmit={submit}
        onKeyDown={runByKey}
        className="grid min-w-0 gap-6"
      >
        <OperationPicker operations={operations} chosen={operation} onChoose={choose} />
        {errorOf("form") && (
          <p
            role="alert"
            tabIndex={-1}
            className="rounded-lg border border-destructive/40 bg-destructive/5 p-4 text-sm text-destructive"
          >
            {errorOf("form")}
          </p>
        )}
        {operation.files.map((field) => (
          <FileField
            key={field.part}
            field={field}
            source={sources[field.part]}
            error={errorOf(field.part)}
            onBusy={countSample}
            onChange={(source) => setSource(field.part, source)}
          />
        ))}
        {operation.fields.map((field) => (
          <ParameterField
            key={`${operation.id} ${field.name}`}
            field={field}
            value={values[field.name] ?? ""}
            error={errorOf(field.name)}
            onChange={(value) => setValue(field.name, value)}
          />
        ))}
        <div className="sticky bottom-0 z-10 flex flex-wrap gap-2 border-t bg-background py-4">
          <Button type="submit" variant="brand" disabled={run.state.kind === "sending" || loading}>
            <PlayIcon aria-hidden="true" />
            {loading ? "Loading the input …" : "Run"}
          </Button>
          <CodeDialog operation={operation} values={values} sources={sources} baseUrl={baseUrl} />
        </div>
      </form>
      <div ref={panel} className="min-w-0 scroll-mt-20 lg:sticky lg:top-6">
        <RunPanel state={run.state} onAbort={run.abort} cancel={cancel} />
      </div>
    </div>
  );
}
