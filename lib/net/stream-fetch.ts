import { FormData as StreamedForm, fetch as undiciFetch } from "undici";

/**
 * `fetch` with flat memory for an upload of any size: Node's own takes in what it is to send
 * whole, however slowly it leaves. Only for addresses that we made; a user's go through `fetch.ts`.
 */
export const streamFetch: typeof globalThis.fetch = async (input, init) => {
  const body = init?.body instanceof FormData ? toStreamed(init.body) : init?.body;
  // undici's types of the same web standards differ in name only.
  const options = { ...init, body } as Parameters<typeof undiciFetch>[1];
  const address = input instanceof Request ? input.url : input;
  return (await undiciFetch(address, options)) as unknown as Response;
};

/** undici takes no other's form for one. */
function toStreamed(form: FormData): StreamedForm {
  const streamed = new StreamedForm();
  for (const [name, value] of form) {
    if (typeof value === "string") streamed.append(name, value);
    else streamed.append(name, value, value.name);
  }
  return streamed;
}
