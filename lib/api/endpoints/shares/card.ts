import { z } from "zod";
import { consumeAttempts, TooManyAttemptsError } from "#lib/auth/sign-in-limits.ts";
import { RequestError } from "#lib/errors.ts";
import { type FoundShare, findShare } from "#lib/jobs/actions/share.ts";
import { requestPreview } from "#lib/jobs/live/request.ts";
import { cardOf } from "#lib/jobs/view/share-card.ts";
import { sharedFile } from "#lib/jobs/view/shared-result.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";

interface Card {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly contentType: string;
}

/** The cards that were drawn last, by the ids of their shares: each chat program asks for the same one. */
const cards = new Map<string, Card>();

/** A card has some 100 kB. */
const maxCards = 50;

/**
 * The picture of a link to a shared result that is a video or a document: a frame or the first page. It is drawn on
 * request by a runner; while none has time, the picture of the service is sent instead.
 */
export const readShareCard = defineEndpoint({
  method: "GET",
  path: "/files/r/{token}/card.jpg",
  operationId: "readShareCard",
  tag: "Jobs",
  summary: "Show a shared result as one picture.",
  internal: true,
  access: "public",
  params: z.strictObject({ token: z.string() }),
  responses: {
    200: {
      description: "The picture.",
      content: { "image/*": { type: "string", contentMediaType: "image/*" } },
    },
    302: { description: "There is none now: the picture of the service.", headers: ["Location"] },
  },
  errors: ["not_found"],
  async handler({ params, request }) {
    const found = await findShare(params.token);
    if (!found) throw new RequestError("not_found", "This link has expired or was revoked.");
    const headers = { "Cache-Control": "max-age=0", "X-Robots-Tag": "noindex" };
    const card = cards.get(found.share.id) ?? (await drawCard(found, request.signal));
    if (card) {
      return new Response(card.bytes, {
        headers: { ...headers, "Content-Type": card.contentType },
      });
    }
    return new Response(null, {
      status: 302,
      headers: { ...headers, Location: "/opengraph-image.png" },
    });
  },
});

/** Undefined if there is nothing to see, if it was drawn too often, and if no runner has time. */
async function drawCard(
  { share, job }: FoundShare,
  signal: AbortSignal,
): Promise<Card | undefined> {
  const outputs = job.outputs.filter(({ isRemoved }) => !isRemoved);
  const index = cardOf(outputs)?.index;
  const output = index === undefined ? undefined : outputs[index];
  if (!output || !sharedFile(share, job, "output", job.outputs.indexOf(output))) return undefined;
  try {
    await consumeAttempts([{ kind: "shareCard", subject: share.id }]);
  } catch (error) {
    if (error instanceof TooManyAttemptsError) return undefined;
    throw error;
  }
  const { key, filename, contentType, bytes } = output;
  const source = { id: job.id, key, filename, contentType, bytes };
  const { accountId, plan } = job;
  const result = await requestPreview({ kind: "card", accountId, plan, source }, signal);
  if (result?.kind !== "shown") return undefined;
  const card = { bytes: Buffer.from(result.image, "base64"), contentType: result.contentType };
  cards.set(share.id, card);
  for (const id of cards.keys()) {
    if (cards.size <= maxCards) break;
    cards.delete(id);
  }
  return card;
}
