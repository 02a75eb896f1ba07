export * from "./accounts.ts";
export * from "./api-keys.ts";
export * from "./idempotency-keys.ts";
export * from "./jobs.ts";
export * from "./rate-windows.ts";
export * from "./runners.ts";
export * from "./usage.ts";
export * from "./webhook-deliveries.ts";
