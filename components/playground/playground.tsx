"use client";

import { PlayIcon } from "lucide-react";
import {
  type FocusEvent,
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { CatalogueEntry } from "#components/catalogue/entry.ts";
import type { JobActionHandlers } from "#components/jobs/job-actions.tsx";
import { Button } from "#components/ui/button.tsx";
import { InlineCode } from "#components/ui/inline-code.tsx";
import { CodeButton } from "./code-button.tsx";
import { FilePartField } from "./fields/file-part-field.tsx";
import { createTypeCheck } from "./form/check-type.ts";
import type { FormOperation, FormValues } from "./form/form-field.ts";
import { providedSources } from "./form/source.ts";
import { assignFormError, type FormError } from "./form-error.ts";
import { FormParameters } from "./form-parameters.tsx";
import { OperationPicker } from "./operation-picker.tsx";
import { FormMediaProvider } from "./pick/form-media.tsx";
import { RunPanel } from "./run-panel.tsx";
import { useRun } from "./use-run.ts";
import { useSavedForm } from "./use-saved-form.ts";
import { useSources } from "./use-sources.ts";
import { findWrongType, validateForm } from "./validate-form.ts";
import { carryValues, initialValues, sentValues } from "./values.ts";

/** An input file of an earlier job. */
export interface InitialFile {
  readonly part: string;
  readonly name: string;
  /** Where the stored file is; null if it must be fetched from `sourceUrl` again. */
  readonly url: string | null;
  readonly sourceUrl: string | null;
}

export interface PlaygroundProps {
  readonly operations: readonly FormOperation[];
  /** The operations as they are searched. */
  readonly entries: readonly CatalogueEntry[];
  readonly start: {
    readonly operation: string;
    /** The values of an earlier job. Default: the operation's defaults. */
    readonly values?: FormValues;
    readonly files?: readonly InitialFile[];
    /** Why the request with these values was rejected. */
    readonly error?: { readonly message: string; readonly code: string | null };
  };
  /** The plan's maximum file size; null is unlimited. */
  readonly maxFileBytes: number | null;
  readonly baseUrl: string;
  /** The account to which a form that this tab keeps belongs. */
  readonly accountId: string;
  readonly cancel: JobActionHandlers["cancel"];
}

/** Runs an operation with a form, and shows its result. */
export function Playground(props: PlaygroundProps) {
  const { operations, entries, start, maxFileBytes, baseUrl, accountId, cancel } = props;
  const find = (id: string) => operations.find((operation) => operation.id === id);
  const [operation, setOperation] = useState(() => find(start.operation) ?? operations[0]);
  const [values, setValues] = useState<FormValues>(() =>
    operation ? (start.values ?? initialValues(operation)) : {},
  );
  const takes = useMemo(() => createTypeCheck(operations), [operations]);
  const [error, setError] = useState<FormError | undefined>(() =>
    operation && start.error
      ? assignFormError(operation, start.error.message, start.error.code)
      : undefined,
  );
  const form = useRef<HTMLFormElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  /** A changed field no longer has its error. */
  const clearError = (field: string) =>
    setError((before) => (before?.field === field ? undefined : before));
  const files = useSources({ initialFiles: start.files ?? [], accountId, onChange: clearError });
  const { sources, loading } = files;
  const setValue = (name: string, value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    clearError(name);
  };
  const run = useRun((message, code) => {
    if (operation) setError(assignFormError(operation, message, code));
  });
  useSavedForm({
    accountId,
    operation,
    values,
    sources,
    jobId: run.state.kind === "accepted" ? run.state.jobId : null,
    restore(form) {
      const saved = find(form.operation);
      if (!saved) return;
      setOperation(saved);
      setValues({ ...initialValues(saved), ...form.values });
      if (form.jobId !== null) run.resume(form.jobId);
    },
    addSources: (part, added) => files.change(part, (before) => [...before, ...added]),
  });
  // After the error is rendered, its field gets the focus.
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
    setError(findWrongType(next, sources, takes));
    run.reset();
    window.history.replaceState(null, "", `/dashboard/playground?operation=${id}`);
  }

  function submit(event?: FormEvent) {
    event?.preventDefault();
    if (!operation || run.state.kind === "sending" || loading) return;
    const invalid = validateForm(operation, values, sources, maxFileBytes, takes);
    if (invalid) return setError(invalid);
    setError(undefined);
    scrollToResult();
    const parts = operation.files.map(
      ({ part, count }) => [part, providedSources(sources, part, count.max)] as const,
    );
    void run.start({
      path: "/dashboard/run",
      operation: operation.id,
      fields: sentValues(operation.fields, values),
      sources: Object.fromEntries(parts),
    });
  }

  /** On narrow pages the result is below the form. */
  function scrollToResult() {
    const top = panel.current?.getBoundingClientRect().top ?? 0;
    if (top > window.innerHeight / 2) panel.current?.scrollIntoView({ block: "start" });
  }

  function submitByKey(event: KeyboardEvent) {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit();
  }

  const errorOf = (name: string) => (error?.field === name ? error.message : undefined);
  const formError = errorOf("form");
  const takesFile = operation.files.some(({ part }) => part === "file");
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
      <form
        ref={form}
        noValidate
        onSubmit={submit}
        onKeyDown={submitByKey}
        onFocus={showWhole}
        className="grid min-w-0 gap-6"
      >
        <OperationPicker entries={entries} chosen={operation} onChoose={choose} />
        {formError && (
          <p
            role="alert"
            tabIndex={-1}
            className="rounded-lg border border-destructive/40 bg-destructive/5 p-4 text-sm text-destructive"
          >
            <InlineCode text={formError} />{" "}
            {error?.isSignedOut && (
              <a href={signInUrl(operation.id)} className="underline underline-offset-4">
                Sign in. Your form is kept.
              </a>
            )}
          </p>
        )}
        {operation.files.map((field) => (
          <FilePartField
            key={field.part}
            field={field}
            sources={sources[field.part] ?? []}
            error={errorOf(field.part)}
            onBusy={files.onBusy}
            onChange={(change) => files.change(field.part, change)}
          />
        ))}
        <FormMediaProvider source={takesFile ? sources.file?.[0] : undefined}>
          <FormParameters
            operation={operation}
            values={values}
            sources={sources}
            errorOf={errorOf}
            onChange={setValue}
          />
        </FormMediaProvider>
        <div
          data-bottom-bar=""
          className="sticky bottom-0 z-10 flex flex-wrap gap-2 border-t bg-background py-4"
        >
          <Button type="submit" variant="brand" disabled={run.state.kind === "sending" || loading}>
            <PlayIcon aria-hidden="true" />
            {loading ? "Loading input…" : "Run"}
          </Button>
          <CodeButton operation={operation} values={values} sources={sources} baseUrl={baseUrl} />
        </div>
      </form>
      <div ref={panel} className="min-w-0 scroll-mt-20 lg:sticky lg:top-6">
        <RunPanel state={run.state} onAbort={run.abort} cancel={cancel} />
      </div>
    </div>
  );
}

/** Browsers scroll to the caret of a text area, of which the bar at the bottom may cover the rest. */
function showWhole({ target }: FocusEvent): void {
  if (target.matches(":focus-visible")) target.scrollIntoView({ block: "nearest" });
}

/** The sign-in page, which leads back to the form. */
function signInUrl(operation: string): string {
  return `/sign-in?next=${encodeURIComponent(`/dashboard/playground?operation=${operation}`)}`;
}
