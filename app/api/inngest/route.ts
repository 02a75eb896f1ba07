import { serve } from "inngest/next";
import { webApp } from "#inngest/client.ts";
import { createSweep } from "#inngest/sweep.ts";

const client = webApp();

/** The sweep alone, for hosts without a runner that stays; unsigned calls are answered with 401. */
export const { GET, POST, PUT } = serve({ client, functions: [createSweep(client)] });
