import { buildPackages } from "./commands/clients/packages.ts";

/** Builds the packages that the service gives out, in a process of its own: it loads all operations. */

await buildPackages();
