import { handleMcp } from "#lib/api/mcp/handle-mcp.ts";

export { handleMcp as DELETE, handleMcp as GET, handleMcp as POST };
