import { z } from "zod";

/**
 * Calls of a function in a media runner by another process, without a job and its row: both listen to a
 * channel of their own in PostgreSQL, so no process needs to reach another one over the network.
 */

/** PostgreSQL allows 8000 bytes in a notification. */
const maxMessageBytes = 7900;

/** The channel of a process: the only one to whom its messages are sent. */
export function channelOf(processId: string): string {
  return `calls_${processId}`;
}

export const callSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("call"),
    id: z.string(),
    /** The process that gets the reply. */
    from: z.string(),
    name: z.string(),
    options: z.unknown(),
  }),
  /** The caller does not need the result any more. */
  z.object({ kind: z.literal("cancel"), id: z.string() }),
]);

export type CallMessage = z.output<typeof callSchema>;

export const replySchema = z.discriminatedUnion("kind", [
  /** The runner has received the call. */
  z.object({ kind: z.literal("received"), id: z.string() }),
  z.object({ kind: z.literal("result"), id: z.string(), result: z.unknown() }),
  /** The message of a `JobError`, which callers may show; all other errors are `internal`. */
  z.object({
    kind: z.literal("error"),
    id: z.string(),
    code: z.string(),
    message: z.string(),
  }),
]);

export type ReplyMessage = z.output<typeof replySchema>;

/** The JSON of a message. Throws if it is too long for a notification. */
export function serializeMessage(message: CallMessage | ReplyMessage): string {
  const text = JSON.stringify(message);
  if (Buffer.byteLength(text) > maxMessageBytes) throw new MessageTooLongError();
  return text;
}

/** A call or its result is too long. */
export class MessageTooLongError extends Error {
  override readonly name = "MessageTooLongError";
  override readonly message = "a message between processes is too long";
}
