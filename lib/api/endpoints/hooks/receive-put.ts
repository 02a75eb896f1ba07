import { defineReceiverEndpoint } from "./receiver-endpoint.ts";

export const receivePut = defineReceiverEndpoint("PUT", "receivePut");
