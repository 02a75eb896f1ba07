import type { UploadedFile } from "#lib/api/http/store-upload.ts";
import type { WebhookCallRow } from "#lib/db/schema/gotenberg/webhook-calls.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import { seal, unseal } from "#lib/service-secret.ts";
import type { CallState, WebhookCall } from "./advance.ts";

/** Webhook calls as they are stored: JSON, encrypted because forms and headers may have secrets. */

/** A file with the id of its type only. */
type StoredFile = Omit<UploadedFile, "type"> & { readonly type: MediaTypeId };

const store = ({ type, ...file }: UploadedFile): StoredFile => ({ ...file, type: type.id });
const restore = (file: StoredFile): UploadedFile => ({ ...file, type: mediaType(file.type) });

const sealedFor = (id: string) => ({ purpose: "Gotenberg's webhooks", id });

function toRequest({ form, ...call }: WebhookCall) {
  const files = [...form.files].map(
    ([name, { field, stored }]) => [name, { field, stored: store(stored) }] as const,
  );
  return { ...call, form: { values: [...form.values], files } };
}

export function storeRequest(call: WebhookCall): string {
  return seal(sealedFor(call.id), JSON.stringify(toRequest(call)));
}

/** Throws if it was encrypted with a secret that is no longer accepted. */
export function restoreRequest({ id, request }: WebhookCallRow): WebhookCall {
  // What `storeRequest` has written.
  const { form, ...call } = JSON.parse(unseal(sealedFor(id), request)) as ReturnType<
    typeof toRequest
  >;
  const files = form.files.map(
    ([name, { field, stored }]) => [name, { field, stored: restore(stored) }] as const,
  );
  return { ...call, form: { values: new Map(form.values), files: new Map(files) } };
}

function toStored(state: CallState) {
  if (state.phase !== "result") return state;
  const outputs = state.outputs.map(({ file, name }) => ({ file: store(file), name }));
  return { ...state, outputs };
}

export function storeState(id: string, state: CallState): string {
  return seal(sealedFor(id), JSON.stringify(toStored(state)));
}

/** Throws if it was encrypted with a secret that is no longer accepted. */
export function restoreState({ id, state: stored }: WebhookCallRow): CallState {
  // What `storeState` has written.
  const state = JSON.parse(unseal(sealedFor(id), stored)) as ReturnType<typeof toStored>;
  if (state.phase !== "result") return state;
  const outputs = state.outputs.map(({ file, name }) => ({ file: restore(file), name }));
  return { ...state, outputs };
}
