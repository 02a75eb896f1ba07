"use client";

import {
  type FormEvent,
  type KeyboardEvent,
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";
import type { CatalogueEntry } from "#components/catalogue/entry.ts";
import type { JobActionHandlers } from "#components/jobs/job-actions.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { useWide } from "#components/ui/use-wide.ts";
import type { UnavailableOperation } from "#lib/api/job-creation/unavailable-operations.ts";
import type { HostUploads } from "#lib/jobs/accept/host-uploads.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import { PageDrop } from "./batch/page-drop.tsx";
import { useBatch } from "./batch/use-batch.ts";
import { canCompare } from "./compare/can-compare.ts";
import { CompareTool, LiveTool } from "./compare/live-tools.tsx";
import { ConnectionsContext, type FormConnections } from "./connections/context.ts";
import { createTypeCheck, findWrongType } from "./form/check-type.ts";
import { assignChainError, type FormError } from "./form/form-error.ts";
import type { FormOperation } from "./form/form-field.ts";
import type { FormStart } from "./form/form-start.ts";
import { takeHandedFiles } from "./form/handed-files.ts";
import { noOptions } from "./form/job-options.ts";
import { useFormError } from "./form/use-form-error.ts";
import { findWrongValue } from "./form/validate-form.ts";
import { carryValues } from "./form/values.ts";
import { FormAlert } from "./form-alert.tsx";
import { FormFiles } from "./form-files.tsx";
import { FormParameters } from "./form-parameters.tsx";
import { DeliverySection } from "./options/delivery-section.tsx";
import { FormMediaProvider } from "./pick/form-media.tsx";
import { ResultPane } from "./result-pane.tsx";
import { RunBar } from "./run-bar.tsx";
import { showWhole } from "./show-whole.ts";
import { stepResults } from "./steps/describe-step.ts";
import type { SentForm } from "./steps/run-request.ts";
import { createStep, findBroken, restoreSteps } from "./steps/step.ts";
import { StepChooser } from "./steps/step-chooser.tsx";
import { useSteps } from "./steps/use-steps.ts";
import { useDroppedFiles } from "./use-dropped-files.ts";
import { useRun } from "./use-run.ts";
import { useSavedForm } from "./use-saved-form.ts";
import { useSources } from "./use-sources.ts";
import { useSubmission } from "./use-submission.ts";

// Most forms have none.
const FormNotices = lazy(async () => ({
  default: (await import("./form-notices.tsx")).FormNotices,
}));

export interface PlaygroundProps {
  readonly operations: readonly FormOperation[];
  /** The operations as they are searched. */
  readonly entries: readonly CatalogueEntry[];
  readonly start: FormStart;
  /** The plan's maximum file size; null is unlimited. */
  readonly maxFileBytes: number | null;
  /** How files are sent to this host. */
  readonly uploads: HostUploads;
  readonly baseUrl: string;
  readonly connections: FormConnections;
  /** The account to which a form that this tab keeps belongs. */
  readonly accountId: string;
  readonly cancel: JobActionHandlers["cancel"];
  /** The operations that this installation cannot run. */
  readonly unavailable: readonly UnavailableOperation[];
  /** Whether the account may change the settings of the service. */
  readonly isOperator: boolean;
}

const noSources = {};

/** Builds a job of one or several operations with forms, runs it, and shows its result. */
export function Playground(props: PlaygroundProps) {
  const { operations, entries, start, maxFileBytes, uploads, baseUrl, accountId, cancel } = props;
  const { unavailable, isOperator } = props;
  const find = (id: string) => operations.find((operation) => operation.id === id);
  const steps = useSteps(() => {
    const first = find(start.operation) ?? operations[0];
    if (!first) return [];
    return [createStep(first, start.values), ...restoreSteps(start.following ?? [], operations)];
  }, start.fix?.step);
  const [first] = steps.list;
  const step = steps.list[steps.active] ?? first;
  const isChain = steps.list.length > 1;
  const takes = useMemo(() => createTypeCheck(operations), [operations]);
  const form = useRef<HTMLFormElement>(null);
  const shownError = useFormError(form, () => {
    const chosen = steps.list.map(({ operation }) => operation);
    return first && start.error
      ? assignChainError(chosen, start.error.message, start.error.code)
      : undefined;
  });
  const { error, set: setError, clear: clearError } = shownError;
  const [options, setOptions] = useState(start.options ?? noOptions);
  const [details, setDetails] = useState<JobDetails>();
  const [isComparing, setComparing] = useState(false);
  const isWide = useWide();
  const files = useSources({ initialFiles: start.files ?? [], accountId, onChange: clearError });
  const { sources, loading } = files;
  const batch = useBatch(uploads, cancel);
  const takeDropped = useDroppedFiles(first?.operation, files, batch);
  const setValue = (name: string, value: string) => {
    steps.change((before) => ({ ...before, values: { ...before.values, [name]: value } }));
    clearError(name);
  };
  const run = useRun(uploads, (message, code) => {
    const chosen = steps.list.map(({ operation }) => operation);
    showError(assignChainError(chosen, message, code));
  });
  useSavedForm({
    accountId,
    steps: steps.list,
    options,
    sources,
    jobId: run.state.kind === "accepted" ? run.state.jobId : null,
    restore(form) {
      const saved = restoreSteps(form.steps, operations);
      if (saved.length === 0) return;
      steps.replace(saved);
      if (form.options) setOptions(form.options);
      if (form.jobId !== null) run.resume(form.jobId);
    },
    addSources: (part, added) => files.change(part, (before) => [...before, ...added]),
  });
  const takeHanded = useEffectEvent(() => {
    const handed = takeHandedFiles();
    if (handed.length > 0) void takeDropped(handed);
  });
  useEffect(() => takeHanded(), []);
  // A file of another type is named as soon as it is chosen.
  const checkFiles = useEffectEvent(() => {
    const wrong = first && findWrongType(first.operation, sources, takes);
    if (wrong) setError({ ...wrong, keepsFocus: true });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other files are checked.
  useEffect(() => checkFiles(), [sources]);
  const count = first?.operation.files.some(({ count }) => count.max === 1)
    ? batch.files.length
    : 0;
  const current: SentForm = { steps: steps.list, sources, options };
  const { sent, submit, runBatch, panel } = useSubmission({
    form: current,
    run,
    batch,
    isBatch: count > 0,
    maxFileBytes,
    takes,
    setError,
    showError,
  });
  if (!first || !step) return null;
  const { operation, values } = step;
  const broken = findBroken(steps.list);
  const notSetUp = unavailable.find(({ id }) =>
    steps.list.some(({ operation }) => operation.id === id),
  );
  const isOpen = batch.run !== undefined && batch.run.endedAt === undefined;
  const isBusy = run.state.kind === "sending" || loading || isOpen;
  const isBlocked = notSetUp !== undefined || broken !== undefined || isBusy;

  function showError(next: FormError) {
    setError(next);
    steps.activate(next.step ?? 0);
  }

  /** Names a value that is not allowed when its field is left, without taking the focus back. */
  function checkValue(name: string) {
    const wrong = findWrongValue(operation, values, name);
    if (wrong && !error) setError({ ...wrong, step: steps.active, keepsFocus: true });
  }

  function choose(id: string, format?: string) {
    const next = find(id);
    const named = format === undefined ? undefined : { format };
    if (!next || (next === operation && !named)) return;
    steps.change((before) => ({
      ...before,
      operation: next,
      values: { ...carryValues(before.values, before.operation, next), ...named },
    }));
    setError(steps.active === 0 ? findWrongType(next, sources, takes) : undefined);
    run.reset();
    if (!isChain) {
      window.history.replaceState(null, "", `/dashboard/playground?operation=${id}`);
    }
  }

  function add(id: string, format?: string, at?: number) {
    const added = find(id);
    if (added) steps.add(added, format === undefined ? {} : { format }, at);
    setError(undefined);
    run.reset();
  }

  function submitForm(event?: FormEvent) {
    event?.preventDefault();
    if (!isBlocked) void submit();
  }

  function submitByKey(event: KeyboardEvent) {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submitForm();
  }

  const formError = shownError.of("form", error?.step ?? 0);
  const takesFile = first.operation.files.some(({ part }) => part === "file");
  // The pictures of the pickers show the input, which later steps do not get.
  const shown = steps.active === 0 && takesFile ? sources.file?.[0] : undefined;
  const formFiles = (
    <FormFiles
      operation={first.operation}
      isChain={isChain}
      files={files}
      batch={batch}
      takes={takes}
      errorOf={(part) => shownError.of(part, 0)}
      onDropped={takeDropped}
    />
  );
  const isSingle = count === 0 && !isChain;
  const mayCompare = isSingle && canCompare(operation, sources);
  const live = isSingle && (
    <LiveTool
      key={`live ${step.key}`}
      operation={operation}
      values={values}
      sources={sources}
      takes={takes}
      isCompact={!isWide}
      onChange={setValue}
    />
  );
  const page = (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
      <form
        ref={form}
        noValidate
        onSubmit={submitForm}
        onKeyDown={submitByKey}
        onFocus={showWhole}
        className="flex min-w-0 flex-col gap-6"
      >
        {/* All steps of a chain start with its file. */}
        {isChain && formFiles}
        <StepChooser
          steps={steps}
          operations={operations}
          entries={entries}
          broken={broken}
          results={stepResults(sent?.steps ?? [], steps.list, details)}
          keepsSteps={options.keepsSteps !== false}
          onKeepSteps={(keepsSteps) => setOptions({ ...options, keepsSteps })}
          onAdd={add}
          onChoose={choose}
        />
        {(notSetUp || start.fix) && (
          <Suspense fallback={<Skeleton className="h-20 w-full" />}>
            <FormNotices unavailable={notSetUp} isOperator={isOperator} fix={start.fix} />
          </Suspense>
        )}
        {formError && (
          <FormAlert
            message={formError}
            signInFor={error?.isSignedOut ? first.operation.id : undefined}
            planUrl={
              error?.isPlanLimit && isOperator
                ? `/dashboard/operator/accounts/${accountId}`
                : undefined
            }
          />
        )}
        {!isChain && formFiles}
        {!isWide && live}
        <FormParameters
          key={step.key}
          operation={operation}
          values={values}
          sources={steps.active === 0 ? sources : noSources}
          isPickedLive={isWide && isSingle && operation.isLive}
          errorOf={(name) => shownError.of(name, steps.active)}
          onChange={setValue}
          onLeave={checkValue}
        />
        <DeliverySection
          options={options}
          example={{ steps: steps.list, sources }}
          isLinked={start.isLinked === true}
          errorOf={(field) => shownError.of(field, 0)}
          onChange={(field, next) => {
            setOptions(next);
            clearError(field);
          }}
        />
        <RunBar
          label={loading ? "Loading input…" : count > 0 ? `Run on ${count} files` : "Run"}
          isBlocked={isBlocked}
          form={{ ...current, baseUrl }}
          onCompare={mayCompare ? () => setComparing(true) : undefined}
        />
      </form>
      <div className="grid min-w-0 grid-cols-1 gap-6 lg:sticky lg:top-6">
        {mayCompare && isComparing && (
          <CompareTool
            key={step.key}
            operation={operation}
            values={values}
            sources={sources}
            onUse={(setting) => {
              for (const [name, value] of Object.entries(setting)) setValue(name, value);
            }}
            onClose={() => setComparing(false)}
          />
        )}
        {isWide && live}
        <div ref={panel} className="min-w-0 scroll-mt-20">
          <ResultPane
            batch={batch}
            form={{ ...current, baseUrl }}
            run={run}
            sent={sent}
            cancel={cancel}
            onRetry={runBatch}
            onDetails={setDetails}
          />
        </div>
      </div>
      <PageDrop what="a file, many files, a folder or a ZIP" onFiles={takeDropped} />
    </div>
  );
  return (
    <ConnectionsContext value={props.connections}>
      <FormMediaProvider source={shown}>{page}</FormMediaProvider>
    </ConnectionsContext>
  );
}
