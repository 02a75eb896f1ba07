"use client";

import { useState, useTransition } from "react";
import { toast } from "#components/ui/toast/toast.ts";
import type { ConnectionActions, ConnectionTest } from "./actions.ts";
import type { ConnectionView } from "./connection-view.ts";

/** The result if the request itself failed. */
export const notTested: ConnectionTest = {
  ok: false,
  error: "The connection could not be tested. Try again.",
};

/** Tests connections of a list, one at a time for each. */
export function useConnectionTest(test: ConnectionActions["test"]) {
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set());
  const [, start] = useTransition();
  const change = (id: string, isRunning: boolean) =>
    setRunning((before) => {
      const next = new Set(before);
      if (isRunning) next.add(id);
      else next.delete(id);
      return next;
    });

  function run({ id, name }: ConnectionView) {
    change(id, true);
    start(async () => {
      const { ok, error } = await test(id).catch(() => notTested);
      change(id, false);
      if (ok) toast.success(`“${name}” works`);
      else toast.error(`“${name}” does not work. ${error}`);
    });
  }

  return { isRunning: (id: string) => running.has(id), run };
}
