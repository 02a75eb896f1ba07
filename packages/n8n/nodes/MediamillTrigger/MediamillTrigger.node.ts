import {
  type IDataObject,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from "n8n-workflow";
import { webhookEvents } from "../Mediamill/generated.ts";
import { isSigned } from "./signature.ts";

const events = webhookEvents.map(({ value }) => value);

/** Starts a workflow when a job has ended whose `webhook_url` is that of this node. */
export class MediamillTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Mediamill Trigger",
    name: "mediamillTrigger",
    icon: { light: "file:../../icons/mediamill.svg", dark: "file:../../icons/mediamill.dark.svg" },
    group: ["trigger"],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: "Starts the workflow when a job of Mediamill has ended",
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
        displayName:
          "Give the URL of this webhook to jobs as webhook_url: in the node Mediamill, under Continue. The credentials need the webhook secret of the account.",
        name: "notice",
        type: "notice",
        default: "",
      },
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        required: true,
        options: webhookEvents,
        default: events,
      },
    ],
  };

  // A job names the URL itself, so that there is nothing to register at the service.
  webhookMethods = {
    default: {
      checkExists: async () => true,
      create: async () => true,
      delete: async () => true,
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { webhookSecret } = await this.getCredentials<{ webhookSecret: string }>("mediamillApi");
    const body = this.getRequestObject().rawBody ?? Buffer.from("");
    if (!isSigned(body.toString("utf8"), this.getHeaderData(), webhookSecret)) {
      this.getResponseObject().status(401).json({ error: "The signature is not valid." });
      return { noWebhookResponse: true };
    }
    const event = this.getBodyData();
    const wanted = this.getNodeParameter("events", events) as string[];
    // Without data the workflow does not start; the webhook is answered with 200.
    if (!wanted.includes(String(event.type))) return {};
    return { workflowData: [[{ json: event as IDataObject }]] };
  }
}
