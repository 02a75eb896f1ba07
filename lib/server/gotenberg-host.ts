import { gotenbergVariables } from "#lib/env.ts";

/** The network interface that `GOTENBERG_PORT` is for; `host` is that of the other ports. */
export function gotenbergHost(host: string | undefined): string | undefined {
  return gotenbergVariables().get("API_BIND_IP") || host;
}
