import { addressField } from "../catalogue.ts";
import { deliveryQuery } from "../webhooks.ts";
import { rateHeaderNames, withHeaders } from "./headers.ts";
import { queryParameters } from "./parameters.ts";
import { refusals } from "./refusals.ts";
import { jsonBody, schemas } from "./schemas.ts";

const tags = ["Account"];
const headers = withHeaders(...rateHeaderNames);

const list = {
  tags,
  operationId: "listDeliveries",
  summary: "List webhook deliveries with every attempt, newest first.",
  parameters: queryParameters(deliveryQuery),
  responses: {
    200: { description: "A page of deliveries.", headers, content: jsonBody("DeliveryList") },
    ...refusals(401, 503),
  },
};

const resend = {
  tags,
  operationId: "resendDelivery",
  summary: "Send a webhook delivery again, under the same webhook-id.",
  parameters: [
    {
      name: "id",
      in: "path",
      required: true,
      schema: schemas.Delivery.properties.id,
      description: "The delivery's id.",
    },
  ],
  responses: {
    202: { description: "The delivery, due now.", headers, content: jsonBody("Delivery") },
    ...refusals(401, 404, 503),
  },
};

const test = {
  tags,
  operationId: "testWebhook",
  summary: "Send a signed test event to an address.",
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: {
          type: "object",
          properties: { url: addressField("Address that gets the test event.") },
          required: ["url"],
          additionalProperties: false,
        },
        example: { url: "https://example.com/hooks/mediamill" },
      },
    },
  },
  responses: {
    202: { description: "The delivery, due now.", headers, content: jsonBody("Delivery") },
    ...refusals(401, 413, 415, 503),
  },
};

export const webhookPaths = {
  "/v1/webhooks/deliveries": { get: list },
  "/v1/webhooks/deliveries/{id}/resend": { post: resend },
  "/v1/webhooks/test": { post: test },
};
