import { dirname } from "node:path";

const project = dirname(dirname(dirname(import.meta.dirname)));

/** The same settings as the service, as far as they change what a request costs. */
export default {
  poweredByHeader: false,
  skipTrailingSlashRedirect: true,
  turbopack: { root: project },
  outputFileTracingRoot: project,
};
