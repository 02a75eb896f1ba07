"use client";

import { CodeTexts } from "#components/code/code-texts.tsx";
import { requestSnippets } from "#components/code/snippets.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from "#components/ui/overlays/dialog.tsx";
import type { LazyDialogProps } from "#components/ui/overlays/use-lazy-dialog.ts";
import { pathOfSteps } from "./steps/link.ts";
import { type FilledForm, snippetOfForm } from "./steps/snippet-request.ts";

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

function Code(form: FilledForm) {
  const request = snippetOfForm(form);
  return request ? <CodeTexts snippets={requestSnippets(request)} /> : null;
}
