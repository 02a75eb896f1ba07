"use client";

import { CodeFrame } from "#components/code/code-frame.tsx";
import { requestSnippets, type SnippetFile } from "#components/code/snippets.ts";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from "#components/ui/dialog.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs.tsx";
import type { PanelProps } from "#components/ui/use-panel.ts";
import type { FormOperation } from "./form-field.ts";
import { isGiven, type Source, type Sources } from "./source.ts";
import { type FormValues, jsonValues } from "./values.ts";

/** What is filled in. */
export interface FilledForm {
  readonly operation: FormOperation;
  readonly values: FormValues;
  readonly sources: Sources;
  /** Of the service, for requests from outside. */
  readonly baseUrl: string;
}

const languages = [
  ["curl", "curl"],
  ["typescript", "TypeScript"],
  ["python", "Python"],
] as const;

/** What is filled in, as code to take along. */
export function CodePanel({
  open,
  onOpenChange,
  onCloseAutoFocus,
  ...form
}: FilledForm & PanelProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent onCloseAutoFocus={onCloseAutoFocus} className="max-w-3xl">
        <DialogHeader>
          <DialogTitle>The request as code</DialogTitle>
          <DialogDescription>
            Runs as it is, with your key in <code>MEDIAMILL_API_KEY</code>.
          </DialogDescription>
        </DialogHeader>
        <Code {...form} />
      </DialogContent>
    </Dialog>
  );
}

function Code({ operation, values, sources, baseUrl }: FilledForm) {
  const { file, ...further } = Object.fromEntries(
    operation.files.map(({ part }) => [part, toSnippetFile(part, sources[part])]),
  );
  const given = Object.entries(further).filter(([part]) => {
    const { required } = operation.files.find((one) => one.part === part) ?? { required: false };
    return required || isGiven(sources[part]);
  });
  const snippets = requestSnippets({
    operation: operation.id,
    params: jsonValues(operation.fields, values),
    input: file ?? { file: "input" },
    files: Object.fromEntries(given),
    baseUrl,
  });
  return (
    <Tabs defaultValue="curl" className="min-w-0">
      <TabsList aria-label="Language">
        {languages.map(([key, label]) => (
          <TabsTrigger key={key} value={key}>
            {label}
          </TabsTrigger>
        ))}
      </TabsList>
      {languages.map(([key]) => (
        <TabsContent key={key} value={key}>
          <CodeFrame code={snippets[key]} className="max-w-full">
            <code>{snippets[key]}</code>
          </CodeFrame>
        </TabsContent>
      ))}
    </Tabs>
  );
}

function toSnippetFile(part: string, source: Source | undefined): SnippetFile {
  if (!isGiven(source)) return { file: part === "file" ? "input" : part };
  return source.kind === "file" ? { file: source.file.name } : { url: source.url.trim() };
}
