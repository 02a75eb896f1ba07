import {
  type IHookFunctions,
  type IHttpRequestOptions,
  type JsonObject,
  NodeApiError,
} from "n8n-workflow";

/** The webhook endpoint that the trigger makes when its workflow is activated, and deletes after that. */

/** What the workflow keeps of it. */
export interface Subscription {
  readonly endpointId: string;
  readonly secret: string;
}

const path = "/v1/webhooks/endpoints";

interface ServiceResponse {
  readonly statusCode: number;
  readonly body: unknown;
}

interface Endpoint {
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
}

/** Whether the endpoint exists and is as the node needs it. One that is not is deleted. */
export async function isSubscribed(context: IHookFunctions): Promise<boolean> {
  const { endpointId } = read(context);
  if (!endpointId) return false;
  const { statusCode, body } = await send(context, { method: "GET", url: `${path}/${endpointId}` });
  if (statusCode === 404) return false;
  if (statusCode !== 200) throw failure(context, statusCode, body);
  // The service answered 200.
  const { url, events, enabled } = body as Endpoint;
  const wanted = chosenEvents(context);
  const isSame = events.length === wanted.length && wanted.every((one) => events.includes(one));
  if (enabled && isSame && url === context.getNodeWebhookUrl("default")) return true;
  await unsubscribe(context);
  return false;
}

/** Creates the endpoint. Throws `NodeApiError` with the message of the service. */
export async function subscribe(context: IHookFunctions): Promise<boolean> {
  const { statusCode, body } = await send(context, {
    method: "POST",
    url: path,
    body: {
      url: context.getNodeWebhookUrl("default"),
      events: chosenEvents(context),
      description: "n8n",
    },
  });
  if (statusCode !== 201) throw failure(context, statusCode, body);
  const { id, secret } = body as { readonly id: string; readonly secret: string };
  Object.assign(context.getWorkflowStaticData("node"), { endpointId: id, secret });
  return true;
}

/** Deletes the endpoint, if there is one. False if the service did not do it. */
export async function unsubscribe(context: IHookFunctions): Promise<boolean> {
  const { endpointId } = read(context);
  if (!endpointId) return true;
  const { statusCode } = await send(context, { method: "DELETE", url: `${path}/${endpointId}` });
  if (statusCode !== 204 && statusCode !== 404) return false;
  const data = context.getWorkflowStaticData("node");
  delete data.endpointId;
  delete data.secret;
  return true;
}

const chosenEvents = (context: IHookFunctions) =>
  context.getNodeParameter("accountEvents") as string[];

const read = (context: IHookFunctions) =>
  context.getWorkflowStaticData("node") as Partial<Subscription>;

async function send(
  context: IHookFunctions,
  options: IHttpRequestOptions,
): Promise<ServiceResponse> {
  const { baseUrl } = await context.getCredentials<{ baseUrl: string }>("mediamillApi");
  return context.helpers.httpRequestWithAuthentication.call(context, "mediamillApi", {
    ...options,
    url: `${baseUrl.replace(/\/+$/, "")}${options.url}`,
    json: true,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  });
}

function failure(context: IHookFunctions, statusCode: number, body: unknown): NodeApiError {
  const { error } = (typeof body === "object" && body !== null ? body : {}) as { error?: string };
  const message =
    error ?? `The service answered with the status ${statusCode}. Check the base URL.`;
  return new NodeApiError(context.getNode(), { message, statusCode } as JsonObject, {
    message,
    httpCode: `${statusCode}`,
  });
}
