import { ApiError } from "./errors.ts";

export interface ServerEvent {
  readonly id: string | undefined;
  readonly event: string;
  /** The data; empty for an event that only sets the id. */
  readonly data: string;
}

/** The service sends something every 15 seconds. A stream without it is dead. */
const idleMs = 45_000;

/** The events of a response of Server-Sent Events. Ends with the stream, also if that is silent. */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  const type = response.headers.get("content-type");
  if (!response.body || !type?.startsWith("text/event-stream")) {
    throw new ApiError("The service sent no events. Check the base URL, and any proxy.", response);
  }
  const reader = response.body.pipeThrough(new TextDecoderStream() as never).getReader();
  let text = "";
  try {
    for (;;) {
      const timer = setTimeout(() => reader.cancel().catch(() => {}), idleMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      text += value as unknown as string;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) yield parse(block);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function parse(block: string): ServerEvent {
  const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, "m").exec(block)?.[1];
  return { id: field("id"), event: field("event") ?? "message", data: field("data") ?? "" };
}
