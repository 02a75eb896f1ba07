"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { refreshReachable } from "#components/dashboard/refresh-reachable.ts";
import { Checkbox } from "#components/ui/inputs/checkbox.tsx";
import {
  Dialog,
  DialogContent,
  DialogHeader,
  DialogTitle,
} from "#components/ui/overlays/dialog.tsx";
import type { LazyDialogProps } from "#components/ui/overlays/use-lazy-dialog.ts";
import { columnsCookieText, type JobColumn, jobColumnNames, jobColumns } from "./job-columns.ts";

interface ColumnsDialogProps extends LazyDialogProps {
  readonly columns: readonly JobColumn[];
}

/** Chooses the columns of the job list. Each change takes effect at once. */
export function ColumnsDialog({ columns, ...dialog }: ColumnsDialogProps) {
  const router = useRouter();
  const [shown, setShown] = useState(columns);
  function toggle(name: JobColumn, isShown: boolean) {
    const chosen = jobColumnNames.filter((one) => (one === name ? isShown : shown.includes(one)));
    setShown(chosen);
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers.
    document.cookie = columnsCookieText(chosen);
    void refreshReachable(router);
  }
  const { open, onOpenChange, onCloseAutoFocus } = dialog;
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        className="max-w-xs"
        aria-describedby={undefined}
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <DialogHeader>
          <DialogTitle>Columns</DialogTitle>
        </DialogHeader>
        <div className="grid gap-1">
          {jobColumnNames.map((name) => (
            <label
              key={name}
              htmlFor={`column-${name}`}
              className="flex items-center gap-3 rounded-md py-1.5 text-sm"
            >
              <Checkbox
                id={`column-${name}`}
                checked={shown.includes(name)}
                onChange={(event) => toggle(name, event.target.checked)}
              />
              {jobColumns[name]}
            </label>
          ))}
        </div>
      </DialogContent>
    </Dialog>
  );
}
