/** The packages of the clients. The service gives them out itself, because they are in no public registry. */

/** The version of the packages, which is that of the service. */
export const packageVersion = "1.0.0";

/** A file under `/packages`. */
export interface PackageFile {
  /** The file in `packages/dist`, with the version in its name. */
  readonly file: string;
  /** Its name in commands. Tools for Python take no wheel without a version in its name. */
  readonly name: string;
  readonly contentType: string;
}

const tarball = (name: string): PackageFile => ({
  file: `${name}-${packageVersion}.tgz`,
  name: `${name}.tgz`,
  contentType: "application/gzip",
});

const wheel = `mediamill-${packageVersion}-py3-none-any.whl`;

export const packageFiles = {
  sdk: tarball("mediamill-sdk"),
  python: { file: wheel, name: wheel, contentType: "application/zip" },
  cli: tarball("mediamill-cli"),
  n8n: tarball("n8n-nodes-mediamill"),
} as const satisfies Readonly<Record<string, PackageFile>>;

export type PackageKey = keyof typeof packageFiles;

/** What each command does with the URL of its package. */
const installers: Readonly<Record<PackageKey, string>> = {
  sdk: "npm install",
  python: "pip install",
  cli: "npm install -g",
  // n8n itself brings the peer dependency of its nodes.
  n8n: "npm install --legacy-peer-deps",
};

/**
 * The command that installs a package from the service.
 *
 * @param baseUrl the service's URL, without a trailing slash
 */
export function installCommand(key: PackageKey, baseUrl: string): string {
  return `${installers[key]} ${packageUrl(key, baseUrl)}`;
}

/** The command that serves the MCP tools over stdio, without an installation. */
export function mcpCommand(baseUrl: string): string {
  return `npx -y ${packageUrl("cli", baseUrl)} mcp`;
}

function packageUrl(key: PackageKey, baseUrl: string): string {
  return `${baseUrl}/packages/${packageFiles[key].name}`;
}
