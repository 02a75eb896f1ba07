import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from "n8n-workflow";
import { endpointEvents, webhookEvents } from "../Mediamill/generated.ts";
import { isSigned } from "./signature.ts";
import { isSubscribed, type Subscription, subscribe, unsubscribe } from "./subscription.ts";

const events = webhookEvents.map(({ value }) => value);

/**
 * Starts a workflow at an event: of the account, to which the node subscribes, or of the jobs whose `webhook_url` is
 * that of this node.
 */
export class MediamillTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Mediamill Trigger",
    name: "mediamillTrigger",
    icon: { light: "file:../../icons/mediamill.svg", dark: "file:../../icons/mediamill.dark.svg" },
    group: ["trigger"],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: "Starts the workflow at an event of Mediamill, such as the end of a job",
    eventTriggerDescription: "Waiting for a webhook of Mediamill",
    defaults: { name: "Mediamill Trigger" },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "mediamillApi", required: true }],
    webhooks: [
      { name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" },
    ],
    properties: [
      {
        displayName: "Source",
        name: "source",
        type: "options",
        noDataExpression: true,
        options: [
          {
            name: "All of the Account",
            value: "account",
            description:
              "The node subscribes when the workflow is activated, and unsubscribes after that",
          },
          {
            name: "Jobs That Name This URL",
            value: "jobs",
            description: "Only jobs whose webhook_url is the URL of this webhook",
          },
        ],
        default: "account",
      },
      {
        displayName:
          "Give the URL of this webhook to jobs as webhook_url: in the node Mediamill, under Continue. The credentials need the webhook secret of the account.",
        name: "notice",
        type: "notice",
        default: "",
        displayOptions: { show: { source: ["jobs"] } },
      },
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        required: true,
        options: webhookEvents,
        default: events,
        displayOptions: { show: { source: ["jobs"] } },
      },
      {
        displayName: "Events",
        name: "accountEvents",
        type: "multiOptions",
        required: true,
        options: endpointEvents,
        default: events,
        displayOptions: { show: { source: ["account"] } },
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return isOfAccount(this) ? isSubscribed(this) : true;
      },
      // A job names the URL itself, so that there is nothing to register at the service.
      async create(this: IHookFunctions): Promise<boolean> {
        return isOfAccount(this) ? subscribe(this) : true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        return unsubscribe(this);
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const secret = await findSecret(this);
    const body = this.getRequestObject().rawBody ?? Buffer.from("");
    if (!isSigned(body.toString("utf8"), this.getHeaderData(), secret)) {
      this.getResponseObject().status(401).json({ error: "The signature is not valid." });
      return { noWebhookResponse: true };
    }
    const event = this.getBodyData();
    // Without data the workflow does not start; the webhook is answered with 200.
    if (!isOfAccount(this)) {
      const wanted = this.getNodeParameter("events", events) as string[];
      if (!wanted.includes(String(event.type))) return {};
    }
    return { workflowData: [[{ json: event as IDataObject }]] };
  }
}

const isOfAccount = (context: IHookFunctions | IWebhookFunctions) =>
  context.getNodeParameter("source", "jobs") === "account";

/** The secret of the node's own endpoint, or of the account. */
async function findSecret(context: IWebhookFunctions): Promise<string> {
  if (isOfAccount(context)) {
    return (context.getWorkflowStaticData("node") as Partial<Subscription>).secret ?? "";
  }
  const { webhookSecret } = await context.getCredentials<{ webhookSecret: string }>("mediamillApi");
  return webhookSecret;
}
