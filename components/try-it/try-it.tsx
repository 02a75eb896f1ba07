"use client";

import { PlayIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { formatBytes } from "#components/format.ts";
import { PageDrop } from "#components/playground/batch/page-drop.tsx";
import { createTypeCheck, isKnownType } from "#components/playground/form/check-type.ts";
import type { DroppedFile } from "#components/playground/form/dropped-files.ts";
import type { FormValues } from "#components/playground/form/form-field.ts";
import { handFiles } from "#components/playground/form/handed-files.ts";
import { plainMessage } from "#components/playground/form/plain-message.ts";
import { loadFile, type Source } from "#components/playground/form/source.ts";
import { useRun } from "#components/playground/state/use-run.ts";
import { Button } from "#components/ui/button.tsx";
import type { HostUploads } from "#lib/jobs/accept/host-uploads.ts";
import { FileChoice } from "./file-choice.tsx";
import { PresetFields, presetProblem } from "./preset-fields.tsx";
import { hrefWithParams, offeredPresets, paramsWith } from "./preset-values.ts";
import type { TryFile, TryPreset } from "./presets.ts";
import type { TrySample } from "./samples.ts";
import { TryCode } from "./try-code.tsx";
import { TryResult } from "./try-result.tsx";

interface TryItProps {
  readonly presets: readonly TryPreset[];
  readonly samples: readonly TrySample[];
  /** The service's URL, without a trailing slash. */
  readonly baseUrl: string;
  readonly maxFileBytes: number;
  /** How files are sent to this host. */
  readonly uploads: HostUploads;
  /** A link to an account, shown when there are no more runs. */
  readonly account: ReactNode;
}

/** Why a run was not accepted. */
interface Problem {
  readonly message: string;
  readonly needsAccount: boolean;
}

/** Runs an operation on a file without an account: a file, an operation, the call as code, and the result. */
export function TryIt(props: TryItProps) {
  const { presets, samples, baseUrl, maxFileBytes, uploads, account } = props;
  const [file, setFile] = useState<TryFile | undefined>(
    samples[0] && { kind: "sample", sample: samples[0] },
  );
  const [chosen, setChosen] = useState(0);
  const [values, setValues] = useState<FormValues>({});
  const [problem, setProblem] = useState<Problem>();
  const router = useRouter();
  const alert = useRef<HTMLDivElement>(null);
  const result = useRef<HTMLDivElement>(null);
  const run = useRun(uploads, (message, code) =>
    setProblem({
      message: plainMessage(message, name),
      needsAccount: code === "rate_limited" || code === "usage_limit_reached",
    }),
  );
  const takes = useMemo(() => createTypeCheck([{ files: presets }]), [presets]);
  useEffect(() => {
    if (problem) alert.current?.focus();
  }, [problem]);
  const name = file && nameOf(file);
  const isUnknown = file?.kind === "own" && !isKnownType(presets, toSource(file));
  const offered = file ? offeredPresets(presets, toSource(file), takes, isUnknown) : [];
  const base = offered[chosen] ?? offered[0];
  const preset = base && { ...base, params: paramsWith(base, values) };
  const isSending = run.state.kind === "sending";
  const isTooLarge = file?.kind === "own" && file.file.size > maxFileBytes;
  const isBlocked = !preset || isSending || isTooLarge;

  /** Many files are run one by one in the playground, which needs an account. */
  function take(files: readonly DroppedFile[]) {
    const [first] = files;
    if (!first) return;
    const isMany = files.length > 1 || /\.zip$/i.test(first.file.name);
    if (!isMany) return choose({ kind: "own", file: first.file });
    if (preset?.formHref.startsWith("/dashboard/")) {
      handFiles(files);
      return router.push(hrefWithParams(preset));
    }
    const what = files.length > 1 ? `All ${files.length} files` : "All files of a ZIP";
    const message = `${what} can be run at once with an account. Without one, drop one file at a time.`;
    setProblem({ message, needsAccount: true });
  }

  function choose(next: TryFile) {
    setFile(next);
    setChosen(0);
    setValues({});
    setProblem(undefined);
    run.reset();
    if (next.kind === "own" && next.file.size > maxFileBytes) {
      const limit = formatBytes(maxFileBytes);
      const message = `Without an account, a file has at most ${limit}. This one has ${formatBytes(next.file.size)}.`;
      setProblem({ message, needsAccount: true });
    }
  }

  async function start() {
    if (!file || !preset || isSending || isTooLarge) return;
    const wrong = preset.fields.flatMap(
      (field) => presetProblem(field, String(preset.params[field.name] ?? "")) ?? [],
    );
    if (wrong[0] !== undefined) return setProblem({ message: wrong[0], needsAccount: false });
    setProblem(undefined);
    // On narrow screens the result is below the form. Nothing moves where it is in view.
    result.current?.scrollIntoView({ block: "nearest", behavior: "smooth" });
    const { operation, params } = preset;
    try {
      const content =
        file.kind === "own" ? file.file : await loadFile(file.sample.url, file.sample.name);
      const fields = Object.entries(params).map(([key, value]) => [key, String(value)] as const);
      const sources = { file: [{ kind: "file", file: content }] } as const;
      await run.start({ path: "/try/run", operation, fields, sources });
    } catch {
      setProblem({ message: "The sample could not be loaded. Try again.", needsAccount: false });
    }
  }

  return (
    <section
      aria-label="Try it"
      className="grid grid-cols-1 overflow-hidden rounded-xl border bg-card lg:grid-cols-2"
    >
      <div className="grid min-w-0 content-start gap-6 p-5 sm:p-6">
        <FileChoice samples={samples} file={file} onChoose={choose} maxFileBytes={maxFileBytes} />
        <fieldset className="min-w-0">
          <legend className="mb-2 text-sm font-medium">2. Choose what to do</legend>
          {isUnknown && (
            <p className="mb-2 text-sm text-muted-foreground">
              The name of this file does not show its type. The service detects it by the content.
            </p>
          )}
          <div className="flex flex-wrap gap-2">
            {offered.map(({ operation, label }, index) => (
              <Button
                key={operation}
                size="sm"
                variant="outline"
                aria-pressed={preset?.operation === operation}
                onClick={() => {
                  setChosen(index);
                  setValues({});
                  setProblem(undefined);
                  run.reset();
                }}
                className="aria-pressed:border-brand aria-pressed:bg-brand/10"
              >
                {label}
              </Button>
            ))}
          </div>
          {preset && preset.fields.length > 0 && (
            <div className="mt-4">
              <PresetFields
                key={preset.operation}
                fields={preset.fields}
                values={Object.fromEntries(
                  Object.entries(preset.params).map(([key, value]) => [key, String(value)]),
                )}
                onChange={(key, value) => {
                  setValues((before) => ({ ...before, [key]: value }));
                  setProblem(undefined);
                }}
              />
            </div>
          )}
        </fieldset>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            variant="brand"
            size="lg"
            onClick={start}
            // Disabled, it would lose the focus of the keyboard.
            aria-disabled={isBlocked}
          >
            <PlayIcon aria-hidden="true" />
            {isSending ? "Sending" : "Run"}
          </Button>
          <p className="text-xs text-muted-foreground">
            No account needed. Files are deleted after an hour.
          </p>
        </div>
        {problem && (
          <div
            ref={alert}
            role="alert"
            tabIndex={-1}
            className="grid gap-3 rounded-lg border border-destructive/40 bg-destructive/5 p-4 text-sm"
          >
            <p>{problem.message}</p>
            {problem.needsAccount && account}
          </div>
        )}
        {preset && (
          <a
            href={hrefWithParams(preset)}
            className="w-fit text-sm text-brand underline underline-offset-4"
          >
            Change all parameters in the playground
          </a>
        )}
        {preset && <TryCode preset={preset} filename={name ?? "input"} baseUrl={baseUrl} />}
      </div>
      <div
        ref={result}
        className="min-h-80 min-w-0 scroll-mt-20 border-t bg-background p-5 sm:p-6 lg:border-t-0 lg:border-l"
      >
        <TryResult state={run.state} file={file} onAbort={run.abort} />
      </div>
      <PageDrop what="a file to try it" onFiles={take} />
    </section>
  );
}

function toSource(file: TryFile): Source {
  if (file.kind === "own") return { kind: "file", file: file.file };
  return { kind: "url", url: file.sample.url };
}

function nameOf(file: TryFile): string {
  return file.kind === "own" ? file.file.name : file.sample.name;
}
