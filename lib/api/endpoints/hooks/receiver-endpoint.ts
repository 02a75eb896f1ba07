import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { markReceivedLate } from "#lib/db/queries/webhooks/received.ts";
import { findReceiverByToken } from "#lib/db/queries/webhooks/receivers.ts";
import { RequestError } from "#lib/errors.ts";
import { addressIn } from "#lib/net/caller-address.ts";
import { stoppingSignal } from "#lib/stopping.ts";
import { receiveRequest } from "#lib/webhooks/receiver/receive.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { readBytes } from "../../http/body.ts";
import { requestIdHeader } from "../../http/request-id.ts";
import { createResponseDelay } from "./response-delays.ts";

const waitToRespond = createResponseDelay({ perAccount: 5, perProcess: 50 });

/** The endpoint of test receivers for a method. */
export function defineReceiverEndpoint(method: "POST" | "PUT", operationId: string) {
  return defineEndpoint({
    method,
    path: "/hooks/{token}",
    operationId,
    tag: "Account",
    summary: "Store a request for the account of a test receiver.",
    description: "The response has the status and the delay that the account has chosen.",
    internal: true,
    access: "public",
    params: z.strictObject({ token: z.string().max(64) }),
    responses: { 200: { description: "The request was stored." } },
    errors: ["not_found", "rate_limited", "too_large"],
    async handler({ request, params }) {
      const owned = await findReceiverByToken(db(), params.token);
      if (!owned || owned.account.suspendedAt) {
        const message = "There is no receiver with this URL. It may have been replaced.";
        throw new RequestError("not_found", message);
      }
      const { id, response, delaySeconds } = await receiveRequest(owned, {
        method: request.method,
        headers: senderHeaders(request.headers),
        body: await readBytes(request),
        address: addressIn(request.headers),
      });
      const signal = AbortSignal.any([request.signal, stoppingSignal()]);
      await waitToRespond(owned.account.id, delaySeconds, signal);
      if (id !== undefined && request.signal.aborted) {
        await markReceivedLate(db(), owned.account.id, id);
      }
      const { status, headers, body } = response;
      return new Response(body === "" ? null : body, { status, headers: { ...headers } });
    },
  });
}

/** The headers as the sender has sent them: the web server sets these two. */
function senderHeaders(headers: Headers): Record<string, string> {
  const {
    "x-forwarded-for": _address,
    [requestIdHeader]: _id,
    ...sent
  } = Object.fromEntries(headers);
  return sent;
}
