import { afterAll } from "vitest";
import { InngestServer } from "./server.ts";

/** An Inngest for each test file, in the environment before any of our code is loaded. */
export const inngest = await InngestServer.start();
Object.assign(process.env, inngest.variables);

afterAll(() => inngest.down());
