"use client";

import type { ReactNode } from "react";
import { toast } from "#components/ui/toast/toast.ts";
import { describeFailure } from "./describe-failure.ts";
import { sendable } from "./use-form-action.ts";

interface ButtonFormProps {
  /** A server action that leads to another page or changes this one. */
  readonly action: (form: FormData) => Promise<void>;
  /** Values of hidden fields. */
  readonly hidden?: Readonly<Record<string, string | number>>;
  /** The submit button. */
  readonly children: ReactNode;
}

/** A form that is only a button. It also works without JavaScript. A message says why its action has failed. */
export function ButtonForm({ action, hidden = {}, children }: ButtonFormProps) {
  async function run(form: FormData) {
    try {
      await action(form);
    } catch (error) {
      toast.error(describeFailure(error));
    }
  }
  return (
    <form action={sendable(action, run)}>
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
