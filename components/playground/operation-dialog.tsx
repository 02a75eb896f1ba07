"use client";

import { Command } from "cmdk";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "#components/ui/dialog.tsx";
import type { LazyDialogProps } from "#components/ui/use-lazy-dialog.ts";
import type { FormOperation } from "./form/form-field.ts";

interface OperationDialogProps extends LazyDialogProps {
  readonly operations: readonly FormOperation[];
  readonly onChoose: (id: string) => void;
}

/** All operations by group, searchable by ID and summary. */
export function OperationDialog({
  operations,
  onChoose,
  open,
  onOpenChange,
  onCloseAutoFocus,
}: OperationDialogProps) {
  const groups = [...new Set(operations.map(({ group }) => group))];
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        onCloseAutoFocus={onCloseAutoFocus}
        className="top-[12vh] translate-y-0 gap-0 p-0"
      >
        <DialogTitle className="sr-only">Choose an operation</DialogTitle>
        <DialogDescription className="sr-only">
          Type to search. Move with the arrow keys and choose with Enter.
        </DialogDescription>
        <Command label="Operations" className="grid">
          <Command.Input
            placeholder="Search operations…"
            className="h-12 w-full border-b bg-transparent px-4 pr-12 text-base outline-none placeholder:text-muted-foreground md:text-sm"
          />
          <Command.List className="max-h-[60vh] scroll-py-2 overflow-y-auto p-2">
            <Command.Empty className="p-6 text-center text-sm text-muted-foreground">
              No operations found
            </Command.Empty>
            {groups.map((group) => (
              <Command.Group
                key={group}
                heading={group}
                className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted-foreground [&_[cmdk-group-heading]]:capitalize"
              >
                {operations
                  .filter((operation) => operation.group === group)
                  .map(({ id, summary }) => (
                    <Command.Item
                      key={id}
                      value={id}
                      keywords={[summary]}
                      onSelect={() => {
                        onChoose(id);
                        onOpenChange(false);
                      }}
                      className="grid cursor-pointer gap-0.5 rounded-md border-l-2 border-transparent px-3 py-2 data-[selected=true]:border-brand data-[selected=true]:bg-accent"
                    >
                      <span className="font-mono text-sm">{id}</span>
                      <span className="text-xs text-muted-foreground">{summary}</span>
                    </Command.Item>
                  ))}
              </Command.Group>
            ))}
          </Command.List>
        </Command>
      </DialogContent>
    </Dialog>
  );
}
