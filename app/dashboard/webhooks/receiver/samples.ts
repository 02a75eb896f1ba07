import type { SampleWebhook } from "#components/webhooks/samples-card.tsx";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { sampleTypes } from "#lib/db/schema/event-types.ts";
import { createId } from "#lib/ids.ts";
import { createSampleEvent } from "#lib/jobs/view/sample-event.ts";
import { signHeaders, signingSecrets } from "#lib/webhooks/signature/sign.ts";

/** A sample of every type of event, signed with the account's secret at this time. */
export function createSignedSamples(account: Account, at: Date): SampleWebhook[] {
  return sampleTypes.map((type) => {
    const body = JSON.stringify(createSampleEvent(type, at));
    const message = { id: createId("whd"), body };
    return { type, headers: signHeaders(message, signingSecrets(account, at), at), body };
  });
}
