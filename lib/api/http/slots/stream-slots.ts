import type { Grant } from "#lib/auth/access/grants.ts";
import { AccountSlots } from "./account-slots.ts";

/**
 * The most event streams that an account may have open at a time in this process, by what opened them:
 * its API keys together, all browser tokens of its users, its pages of the dashboard together, or a visitor's page.
 */
export const maxStreams: Readonly<Record<Grant["kind"], number>> = {
  key: 20,
  token: 200,
  session: 20,
  account: 4,
};

const slots = {
  key: createSlots(maxStreams.key),
  token: createSlots(maxStreams.token),
  session: createSlots(maxStreams.session),
  account: createSlots(maxStreams.account),
};

function createSlots(max: number): AccountSlots {
  const message = `At most ${max} event streams can be open at a time. Close one, or watch all jobs with one stream.`;
  return new AccountSlots({ max, message, retryAfterSeconds: 10 });
}

/** Takes one of the account's streams, until the returned function is called. Throws `rate_limited`. */
export function openStreamSlot({ kind }: Grant, accountId: string): () => void {
  return slots[kind].take(accountId);
}
