"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { notLoadedMessage } from "#components/ui/use-lazy-component.ts";
import type { HostUploads } from "#lib/jobs/accept/host-uploads.ts";
import type { RawResponse } from "../form/raw-response.ts";
import type { RunRequest, RunResponse } from "../form/send-run.ts";

// Most visits of a page send nothing.
const loadSend = () =>
  import("../form/send-run.ts").then(
    ({ sendRun }) => sendRun,
    () => () => notLoaded,
  );

const notLoaded: RunResponse = {
  kind: "rejected",
  message: notLoadedMessage,
  code: null,
};

/** The state of a run until its job is accepted. */
export type RunState =
  /** `response` is that of a rejection. */
  | { readonly kind: "idle"; readonly response?: RawResponse | undefined }
  | { readonly kind: "sending"; readonly sent: number; readonly total: number }
  /** There is no `response` if the job was accepted before the page was loaded. */
  | { readonly kind: "accepted"; readonly jobId: string; readonly response?: RawResponse };

interface Run {
  readonly state: RunState;
  readonly start: (request: RunRequest) => Promise<void>;
  /** Aborts the upload. */
  readonly abort: () => void;
  readonly reset: () => void;
  /** Shows a job that was accepted before. */
  readonly resume: (jobId: string) => void;
}

/** Sends one request at a time and tracks its upload. `uploads`: how files are sent to this host. */
export function useRun(
  uploads: HostUploads,
  onRejected: (message: string, code: string | null) => void,
): Run {
  const [state, setState] = useState<RunState>({ kind: "idle" });
  const sending = useRef<AbortController>(undefined);
  useEffect(() => () => sending.current?.abort(), []);

  async function start(request: RunRequest) {
    const controller = new AbortController();
    sending.current?.abort();
    sending.current = controller;
    setState({ kind: "sending", sent: 0, total: 0 });
    const send = await loadSend();
    const response = await send(request, uploads, controller.signal, (sent, total) => {
      if (sending.current === controller) setState({ kind: "sending", sent, total });
    });
    // A newer run has started.
    if (sending.current !== controller) return;
    setState(
      response.kind === "accepted"
        ? { kind: "accepted", jobId: response.job.id, response: response.response }
        : { kind: "idle", ...(response.kind === "rejected" && { response: response.response }) },
    );
    if (response.kind === "rejected") onRejected(response.message, response.code);
  }

  const abort = useCallback(() => sending.current?.abort(), []);
  const reset = useCallback(() => {
    sending.current?.abort();
    sending.current = undefined;
    setState({ kind: "idle" });
  }, []);
  const resume = useCallback((jobId: string) => setState({ kind: "accepted", jobId }), []);
  return { state, start, abort, reset, resume };
}
