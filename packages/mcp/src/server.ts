import { McpServer } from "@modelcontextprotocol/server";
import type { Client } from "../../sdk/src/client.ts";
import { addEndpointTools } from "./endpoint-tools.ts";
import { addJobTools } from "./job-tools.ts";
import { addOperationTools } from "./operation-tools.ts";

/** What a model reads before it chooses a tool. */
const instructions = [
  "Mediamill transforms video, audio, images and documents. Every transformation is a job.",
  "Find an operation with list_operations, read its parameters with get_operation, then call run_operation.",
  "Use run_chain for several steps on one file.",
  "Inputs are public URLs, or the id of an upload: create_upload returns the URL to which the file must be sent.",
  "The results link to the output files. If a job has not ended yet, call get_job with its id.",
].join(" ");

/** An MCP server whose tools call the API as the account of `client`. */
export function createMcpServer(client: Client): McpServer {
  const info = { name: "mediamill", title: "Mediamill", version: "1.0.0" };
  const server = new McpServer(info, { instructions });
  addOperationTools(server, client);
  addJobTools(server, client);
  addEndpointTools(server, client);
  return server;
}
