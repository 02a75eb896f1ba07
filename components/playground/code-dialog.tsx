"use client";

import { CodeFrame } from "#components/code/code-frame.tsx";
import { CodeTabs } from "#components/code/code-tabs.tsx";
import { requestSnippets, type SnippetFile } from "#components/code/snippets.ts";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from "#components/ui/dialog.tsx";
import type { LazyDialogProps } from "#components/ui/use-lazy-dialog.ts";
import type { FormOperation } from "./fields/form-field.ts";
import { isProvided, type Source, type Sources } from "./fields/source.ts";
import { type FormValues, jsonValues } from "./values.ts";

/** The values of the playground's form. */
export interface FilledForm {
  readonly operation: FormOperation;
  readonly values: FormValues;
  readonly sources: Sources;
  /** The service's URL, without a trailing slash. */
  readonly baseUrl: string;
}

const languages = [
  ["curl", "curl"],
  ["typescript", "TypeScript"],
  ["python", "Python"],
] as const;

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
      </DialogContent>
    </Dialog>
  );
}

function Code({ operation, values, sources, baseUrl }: FilledForm) {
  const { file, ...additional } = Object.fromEntries(
    operation.files.map(({ part }) => [part, toSnippetFile(part, sources[part])]),
  );
  const given = Object.entries(additional).filter(([part]) => {
    const { required } = operation.files.find((field) => field.part === part) ?? {
      required: false,
    };
    return required || isProvided(sources[part]);
  });
  const snippets = requestSnippets({
    operation: operation.id,
    params: jsonValues(operation.fields, values),
    input: file ?? { file: "input" },
    files: Object.fromEntries(given),
    baseUrl,
  });
  const blocks = languages.map(([key, label]) => ({
    label,
    code: (
      <CodeFrame code={snippets[key]} className="max-w-full">
        <code>{snippets[key]}</code>
      </CodeFrame>
    ),
  }));
  return <CodeTabs blocks={blocks} />;
}

function toSnippetFile(part: string, source: Source | undefined): SnippetFile {
  if (!isProvided(source)) return { file: part === "file" ? "input" : part };
  return source.kind === "file" ? { file: source.file.name } : { url: source.url.trim() };
}
