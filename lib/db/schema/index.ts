export * from "./accounts.ts";
export * from "./api-keys.ts";
export * from "./jobs.ts";
export * from "./runners.ts";
export * from "./usage.ts";
export * from "./webhook-deliveries.ts";
