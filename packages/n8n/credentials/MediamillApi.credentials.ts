import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from "n8n-workflow";

/** An API key of an account, and the service that it belongs to. */
export class MediamillApi implements ICredentialType {
  name = "mediamillApi";
  displayName = "Mediamill API";
  icon = {
    light: "file:../icons/mediamill.svg",
    dark: "file:../icons/mediamill.dark.svg",
  } as const;
  documentationUrl = "https://mediamill.example/docs/n8n";
  properties: INodeProperties[] = [
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      required: true,
      default: "",
      description: "From the page API keys of the dashboard. It starts with mm_live_ or mm_test_.",
    },
    {
      displayName: "Base URL",
      name: "baseUrl",
      type: "string",
      required: true,
      default: "http://localhost:3000",
      description: "The URL of the service, without /v1",
    },
    {
      displayName: "Webhook Secret",
      name: "webhookSecret",
      type: "string",
      typeOptions: { password: true },
      default: "",
      description:
        "Only for the Mediamill Trigger, which verifies webhooks with it. From the page Webhooks of the dashboard. It starts with whsec_.",
    },
  ];
  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { "X-API-Key": "={{$credentials.apiKey}}" } },
  };
  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.baseUrl.replace(/\\/+$/, "")}}',
      url: "/v1/usage",
    },
  };
}
