"use client";

import { CodeTexts } from "#components/code/code-texts.tsx";
import { requestSnippets, type SnippetFile, snippetInputs } from "#components/code/snippets.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from "#components/ui/overlays/dialog.tsx";
import type { LazyDialogProps } from "#components/ui/overlays/use-lazy-dialog.ts";
import type { FileField } from "./form/form-field.ts";
import { type JobOptions, optionFields } from "./form/job-options.ts";
import { providedSources, type Sources } from "./form/source.ts";
import { jsonValues } from "./form/values.ts";
import { pathOfSteps } from "./steps/link.ts";
import { toOperations } from "./steps/run-request.ts";
import type { Step } from "./steps/step.ts";

/** The values of the playground's form. */
export interface FilledForm {
  /** The operations in order: several for a chain. */
  readonly steps: readonly Step[];
  readonly sources: Sources;
  readonly options: JobOptions;
  /** The service's URL, without a trailing slash. */
  readonly baseUrl: string;
}

/** The filled-in request as code. */
export function CodeDialog({
  open,
  onOpenChange,
  onCloseAutoFocus,
  ...form
}: FilledForm & LazyDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent onCloseAutoFocus={onCloseAutoFocus} className="max-w-3xl">
        <DialogHeader>
          <DialogTitle>Request as code</DialogTitle>
          <DialogDescription>
            Set <code>MEDIAMILL_API_KEY</code> to your API key to run this code.
          </DialogDescription>
        </DialogHeader>
        <Code {...form} />
        <p className="flex flex-wrap items-center gap-3 text-sm text-muted-foreground">
          A link opens this form again, without its files and secrets.
          <CopyButton
            text={form.baseUrl + pathOfSteps(form.steps, form.options)}
            label="Copy link"
            withText
          />
        </p>
      </DialogContent>
    </Dialog>
  );
}

function Code({ steps, sources, options, baseUrl }: FilledForm) {
  const [first] = steps;
  if (!first) return null;
  const { operation, values } = first;
  const additional = operation.files.flatMap((field) => {
    const [file] = toSnippetFiles(field, sources);
    return field.part === "file" || !file ? [] : [[field.part, file] as const];
  });
  const main = operation.files.find(({ part }) => part === "file");
  const isChain = steps.length > 1;
  const params = isChain
    ? { operations: toOperations(steps, "hidden") }
    : jsonValues(operation.fields, values);
  const snippets = requestSnippets({
    operation: isChain ? "chain" : operation.id,
    params: { ...params, ...optionFields(options) },
    ...(main ? snippetInputs({ inputs: main.count }, toSnippetFiles(main, sources)) : {}),
    files: Object.fromEntries(additional),
    baseUrl,
  });
  return <CodeTexts snippets={snippets} />;
}

/** The chosen files, and a made-up name for each that is still missing. */
function toSnippetFiles({ part, count }: FileField, sources: Sources): SnippetFile[] {
  const given = providedSources(sources, part, count.max).map((source) =>
    source.kind === "file" ? { file: source.file.name } : { url: source.url.trim() },
  );
  const name = part === "file" ? "input" : part;
  const missing = Array.from({ length: Math.max(0, count.min - given.length) }, (_, index) => ({
    file: count.max === 1 ? name : `${name}-${given.length + index + 1}`,
  }));
  return [...given, ...missing];
}
