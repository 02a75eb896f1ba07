import { after } from "next/server";
import { handleMcp } from "#lib/api/mcp/handle-mcp.ts";
import { flushRequestLog } from "#lib/api/request-log/request-log.ts";

function handle(request: Request): Promise<Response> {
  // A function may be frozen as soon as it has responded.
  after(flushRequestLog);
  return handleMcp(request);
}

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
