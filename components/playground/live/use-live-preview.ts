"use client";

import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { ServedPicture } from "#lib/api/endpoints/live/preview.ts";
import type { FormOperation, FormValues } from "../form/form-field.ts";
import { jsonValues } from "../form/values.ts";
import { createLatestCall } from "./latest-call.ts";
import { LiveError, requestPreview, uploadForPreview } from "./preview-api.ts";

export interface LivePreviewState {
  /** The latest picture; it stays while the next one is made, and while one is rejected. */
  readonly picture: ServedPicture | undefined;
  /** Why the present values have no picture; undefined if they have, or will have. */
  readonly message: string | undefined;
  /** Whether the file is being uploaded. */
  readonly isUploading: boolean;
  /** Whether the picture is not yet that of the present values. */
  readonly isPending: boolean;
  /** From the change to the picture, in milliseconds. */
  readonly tookMs: number | undefined;
}

interface Wanted {
  readonly operation: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** How long to wait before a preview for which no engine was free is tried again. */
const retryMs = 2000;

/**
 * What the operation makes of a file with these values, on a small copy, again after each change.
 *
 * @param file undefined for an operation that takes none
 * @param isOn whether the values are complete, and the preview is wanted
 */
export function useLivePreview(
  operation: FormOperation,
  values: FormValues,
  file: File | undefined,
  isOn: boolean,
): LivePreviewState {
  const [state, setState] = useState<Omit<LivePreviewState, "isPending">>(nothing);
  const [shown, setShown] = useState("");
  const upload = useRef<{ readonly file: File; readonly id: Promise<string> }>(undefined);
  const retry = useRef<ReturnType<typeof setTimeout>>(undefined);
  const params = JSON.stringify(jsonValues(operation.fields, values, "shown"));

  const show = useEffectEvent(async (wanted: Wanted, signal: AbortSignal) => {
    const startedAt = performance.now();
    try {
      const id = file && (await uploadedId(file));
      signal.throwIfAborted();
      const made = await requestPreview(wanted.operation, id, wanted.params, signal);
      const tookMs = Math.round(performance.now() - startedAt);
      const message = made.message ?? undefined;
      setState(({ picture: last }) => ({
        picture: made.picture ?? last,
        message,
        isUploading: false,
        tookMs,
      }));
      setShown(JSON.stringify(wanted));
    } catch (error) {
      if (signal.aborted) return;
      const isBusy = error instanceof LiveError && [429, 503].includes(error.status);
      const message =
        error instanceof LiveError
          ? error.message
          : "The connection was lost. Change a value to try again.";
      setState((before) => ({ ...before, message, isUploading: false }));
      setShown(JSON.stringify(wanted));
      if (isBusy) retry.current = setTimeout(() => latest.call(wanted), retryMs);
      // It may have expired; the next change uploads the file again.
      else if (error instanceof LiveError && error.message.includes("`upload`"))
        upload.current = undefined;
    }
  });

  /** The upload of the file, which is made once. */
  function uploadedId(chosen: File): Promise<string> {
    if (upload.current?.file === chosen) return upload.current.id;
    setState({ ...nothing, isUploading: true });
    // A cancelled preview does not cancel the upload, which the next one needs too.
    const id = uploadForPreview(chosen, new AbortController().signal);
    upload.current = { file: chosen, id };
    id.catch(() => {
      if (upload.current?.id === id) upload.current = undefined;
    });
    return id;
  }

  const latest = useMemo(
    () => createLatestCall<Wanted>((wanted, signal) => show(wanted, signal)),
    [],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file has another picture
  useEffect(() => {
    clearTimeout(retry.current);
    if (isOn) latest.call({ operation: operation.id, params: JSON.parse(params) });
  }, [latest, operation.id, params, isOn, file]);
  useEffect(
    () => () => {
      clearTimeout(retry.current);
      latest.stop();
    },
    [latest],
  );
  // The picture of another file or operation says nothing of this one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state is reset when one of them changes
  useEffect(() => setState(nothing), [file, operation.id]);

  const present = JSON.stringify({ operation: operation.id, params: JSON.parse(params) });
  return { ...state, isPending: isOn && shown !== present };
}

const nothing = {
  picture: undefined,
  message: undefined,
  isUploading: false,
  tookMs: undefined,
} as const;
