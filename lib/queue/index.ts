import { env } from "#lib/env.ts";
import { EmbeddedQueue } from "./embedded.ts";
import type { Queue } from "./port.ts";

let opening: Promise<Queue> | undefined;

/** Whether functions run under Inngest instead of the embedded queue. */
export const usesInngest = Boolean(env.INNGEST_BASE_URL ?? env.INNGEST_EVENT_KEY);

/** The configured queue, to enqueue work. Opened at first use. */
export function queue(): Promise<Queue> {
  opening ??= openQueue().catch((error) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

async function openQueue(): Promise<Queue> {
  if (!usesInngest) return new EmbeddedQueue();
  const { InngestQueue } = await import("./inngest.ts");
  return new InngestQueue();
}
