export interface ServerEvent {
  readonly id: string | undefined;
  readonly event: string;
  /** Empty for an event that only sets the id. */
  readonly data: string;
}

/** The events of a response of Server-Sent Events. */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream() as never).getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
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
