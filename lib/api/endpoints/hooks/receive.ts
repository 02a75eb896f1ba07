import { defineReceiverEndpoint } from "./receiver-endpoint.ts";

export const receiveWebhook = defineReceiverEndpoint("POST", "receiveWebhook");
