import {
  installCommand,
  mcpCommand,
  packageFiles,
} from "#lib/api/endpoints/packages/client-packages.ts";

/** A package as the page shows it. */
export interface ShownPackage {
  readonly title: string;
  readonly summary: string;
  /** What installs or starts it. */
  readonly command: string;
  /** The name of its file under `/packages`. */
  readonly file: string;
  /** The path of its guide. */
  readonly guide: string;
}

/** @param baseUrl the service's URL, without a trailing slash */
export function describePackages(baseUrl: string): readonly ShownPackage[] {
  return [
    {
      title: "TypeScript SDK",
      summary: "@mediamill/sdk, for Node 20 and newer, Bun, Deno and browsers. No dependencies.",
      command: installCommand("sdk", baseUrl),
      file: packageFiles.sdk.name,
      guide: "/docs/sdk",
    },
    {
      title: "Python package",
      summary: "mediamill, synchronous and asynchronous, for Python 3.9 and newer. Needs httpx.",
      command: installCommand("python", baseUrl),
      file: packageFiles.python.name,
      guide: "/docs/python",
    },
    {
      title: "Command line",
      summary: "@mediamill/cli, the command mediamill, for Node 20 and newer. No dependencies.",
      command: installCommand("cli", baseUrl),
      file: packageFiles.cli.name,
      guide: "/docs/cli",
    },
    {
      title: "MCP server",
      summary: "Tools for language models over stdio. Clients that speak HTTP need no package.",
      command: mcpCommand(baseUrl),
      file: packageFiles.cli.name,
      guide: "/docs/mcp",
    },
    {
      title: "n8n nodes",
      summary: "n8n-nodes-mediamill. Install it in the folder ~/.n8n/nodes and restart n8n.",
      command: installCommand("n8n", baseUrl),
      file: packageFiles.n8n.name,
      guide: "/docs/n8n",
    },
  ];
}
