import { afterAll } from "vitest";
import { inngest } from "./inngest.ts";

/** Its variables are set before project code is loaded. */
Object.assign(process.env, inngest.variables);

afterAll(() => inngest.close());
