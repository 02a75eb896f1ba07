"use client";

import { type ReactNode, Suspense, useState } from "react";
import { lazyPart } from "#components/ui/loading/lazy-part.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { useWide } from "#components/ui/use-wide.ts";
import { PageDrop } from "./batch/page-drop.tsx";
import { canCompare } from "./compare/can-compare.ts";
import { CompareTool, LiveTool } from "./compare/live-tools.tsx";
import { ConnectionsContext } from "./connections/context.ts";
import { FormAlert } from "./form-alert.tsx";
import { FormFiles } from "./form-files.tsx";
import { FormParameters } from "./form-parameters.tsx";
import { DeliverySection } from "./options/delivery-section.tsx";
import { FormMediaProvider } from "./pick/form-media.tsx";
import { ResultPane } from "./result-pane.tsx";
import { RunBar } from "./run-bar.tsx";
import { showWhole } from "./show-whole.ts";
import {
  type PlaygroundForm,
  type PlaygroundProps,
  usePlaygroundForm,
} from "./state/use-playground-form.ts";
import { stepResults } from "./steps/describe-step.ts";
import { StepChooser } from "./steps/step-chooser.tsx";

// Most forms have none.
const FormNotices = lazyPart(() =>
  import("./form-notices.tsx").then((module) => module.FormNotices),
);

const noSources = {};

/** Builds a job of one or several operations with forms, runs it, and shows its result. */
export function Playground(props: PlaygroundProps) {
  const form = usePlaygroundForm(props);
  const isWide = useWide();
  const [isComparing, setComparing] = useState(false);
  if (!form) return null;
  const { first, step, steps, files, takes, isSingle } = form;
  const { operation, values } = step;
  const { sources } = files;
  const takesFile = first.operation.files.some(({ part }) => part === "file");
  // The pictures of the pickers show the input, which later steps do not get.
  const shown = steps.active === 0 && takesFile ? sources.file?.[0] : undefined;
  const mayCompare = isSingle && canCompare(operation, sources);
  const live = isSingle && (
    <LiveTool
      key={`live ${step.key}`}
      operation={operation}
      values={values}
      sources={sources}
      takes={takes}
      isCompact={!isWide}
      onChange={form.setValue}
    />
  );
  return (
    <ConnectionsContext value={props.connections}>
      <FormMediaProvider source={shown}>
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
          <FormColumn
            props={props}
            form={form}
            isPickedLive={isWide && isSingle && operation.isLive}
            live={!isWide && live}
            onCompare={mayCompare ? () => setComparing(true) : undefined}
          />
          <div className="grid min-w-0 grid-cols-1 gap-6 lg:sticky lg:top-6">
            {mayCompare && isComparing && (
              <CompareTool
                key={step.key}
                operation={operation}
                values={values}
                sources={sources}
                onUse={(setting) => {
                  for (const [name, value] of Object.entries(setting)) form.setValue(name, value);
                }}
                onClose={() => setComparing(false)}
              />
            )}
            {isWide && live}
            <div ref={form.panel} className="min-w-0 scroll-mt-20">
              <ResultPane
                batch={form.batch}
                form={{ ...form.current, baseUrl: props.baseUrl }}
                run={form.run}
                sent={form.sent}
                cancel={props.cancel}
                onRetry={form.runBatch}
                onDetails={form.setDetails}
              />
            </div>
          </div>
          <PageDrop what="a file, many files, a folder or a ZIP" onFiles={form.takeDropped} />
        </div>
      </FormMediaProvider>
    </ConnectionsContext>
  );
}

interface FormColumnProps {
  readonly props: PlaygroundProps;
  readonly form: PlaygroundForm;
  /** Whether values are picked in the live picture. */
  readonly isPickedLive: boolean;
  /** The live picture, where it is part of the form. */
  readonly live: ReactNode;
  readonly onCompare: (() => void) | undefined;
}

/** The form itself: files, steps, parameters and options. */
function FormColumn({ props, form, isPickedLive, live, onCompare }: FormColumnProps) {
  const { operations, entries, start, baseUrl, accountId, isOperator } = props;
  const { first, step, steps, files, options, shownError, notSetUp, batchCount, isChain } = form;
  const { error } = shownError;
  const formError = shownError.of("form", error?.step ?? 0);
  const formFiles = (
    <FormFiles
      operation={first.operation}
      isChain={isChain}
      files={files}
      batch={form.batch}
      takes={form.takes}
      errorOf={(part) => shownError.of(part, 0)}
      onDropped={form.takeDropped}
    />
  );
  const runLabel = batchCount > 0 ? `Run on ${batchCount} files` : "Run";
  return (
    <form
      ref={form.element}
      noValidate
      onSubmit={form.submit}
      onKeyDown={form.submitByKey}
      onFocus={showWhole}
      className="flex min-w-0 flex-col gap-6"
    >
      {/* All steps of a chain start with its file. */}
      {isChain && formFiles}
      <StepChooser
        steps={steps}
        operations={operations}
        entries={entries}
        broken={form.broken}
        results={stepResults(form.sent?.steps ?? [], steps.list, form.details)}
        keepsSteps={options.keepsSteps !== false}
        onKeepSteps={(keepsSteps) => form.setOptions({ ...options, keepsSteps })}
        onAdd={form.add}
        onChoose={form.choose}
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
      {live}
      <FormParameters
        key={step.key}
        operation={step.operation}
        values={step.values}
        sources={steps.active === 0 ? files.sources : noSources}
        isPickedLive={isPickedLive}
        errorOf={(name) => shownError.of(name, steps.active)}
        onChange={form.setValue}
        onLeave={form.checkValue}
      />
      <DeliverySection
        options={options}
        example={{ steps: steps.list, sources: files.sources }}
        isLinked={start.isLinked === true}
        errorOf={(field) => shownError.of(field, 0)}
        onChange={(field, next) => {
          form.setOptions(next);
          shownError.clear(field);
        }}
      />
      <RunBar
        label={files.loading ? "Loading input…" : runLabel}
        isBlocked={form.isBlocked}
        form={{ ...form.current, baseUrl }}
        onCompare={onCompare}
      />
    </form>
  );
}
