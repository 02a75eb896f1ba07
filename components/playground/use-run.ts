"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { type RunRequest, sendRun } from "./send-run.ts";

/** Where a run stands, until its job is known. */
export type RunState =
  | { readonly kind: "idle" }
  | { readonly kind: "sending"; readonly sent: number; readonly total: number }
  | { readonly kind: "accepted"; readonly jobId: string };

interface Run {
  readonly state: RunState;
  readonly start: (request: RunRequest) => Promise<void>;
  /** Breaks off what is being sent. */
  readonly abort: () => void;
  readonly reset: () => void;
}

/** One request at a time, from its first byte to its job. */
export function useRun(onRefused: (sentence: string, code: string | null) => void): Run {
  const [state, setState] = useState<RunState>({ kind: "idle" });
  const sending = useRef<AbortController>(undefined);
  useEffect(() => () => sending.current?.abort(), []);

  async function start(request: RunRequest) {
    const controller = new AbortController();
    sending.current?.abort();
    sending.current = controller;
    setState({ kind: "sending", sent: 0, total: 0 });
    const answer = await sendRun(request, controller.signal, (sent, total) => {
      if (sending.current === controller) setState({ kind: "sending", sent, total });
    });
    // Another run has taken its place.
    if (sending.current !== controller) return;
    setState(
      answer.kind === "accepted" ? { kind: "accepted", jobId: answer.job.id } : { kind: "idle" },
    );
    if (answer.kind === "refused") onRefused(answer.sentence, answer.code);
  }

  const abort = useCallback(() => sending.current?.abort(), []);
  const reset = useCallback(() => {
    sending.current?.abort();
    sending.current = undefined;
    setState({ kind: "idle" });
  }, []);
  return { state, start, abort, reset };
}
