import { UsageError } from "../errors.ts";
import { type ProjectFile, readProjectFile, readUserFile } from "./files.ts";

export interface GlobalFlags {
  readonly profile?: string;
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly quiet?: boolean;
}

/** Where a setting comes from, the strongest first. */
export type Source = "flag" | "environment" | "project file" | "user file" | "default";

export interface Settings {
  readonly profile: string;
  /** The URL of the service, without a slash at the end. */
  readonly baseUrl: string;
  readonly baseUrlSource: Source;
  readonly apiKey: string | undefined;
  readonly apiKeySource: Source | undefined;
  readonly expiresAt: string | undefined;
  readonly project: ProjectFile;
  readonly projectPath: string | undefined;
  readonly quiet: boolean;
}

const defaultBaseUrl = "http://localhost:3000";

/**
 * The settings of this call: flags, then the environment, the project file, and the user's file.
 * `mayBeNew`: whether the named profile need not exist yet.
 */
export async function readSettings(
  flags: GlobalFlags,
  { mayBeNew = false }: { readonly mayBeNew?: boolean } = {},
): Promise<Settings> {
  const { MEDIAMILL_API_KEY, MEDIAMILL_BASE_URL, MEDIAMILL_PROFILE } = process.env;
  const found = await readProjectFile();
  const project = found?.content ?? {};
  const user = await readUserFile();
  const named = flags.profile ?? (MEDIAMILL_PROFILE || project.profile);
  const name = named ?? user.profile ?? "default";
  const profile = user.profiles?.[name];
  if ((flags.profile || MEDIAMILL_PROFILE) && !profile && !mayBeNew) {
    throw new UsageError(
      `There is no profile ${name}. Run \`mediamill login --profile ${name}\`, or \`mediamill profiles\` to see them.`,
    );
  }
  const url = first<string>([
    ["flag", flags.baseUrl],
    // A profile that was named in this call is meant with its own service.
    [flags.profile ? "flag" : "environment", flags.profile ? profile?.base_url : undefined],
    ["environment", MEDIAMILL_BASE_URL],
    ["project file", project.base_url],
    ["user file", profile?.base_url],
    ["default", defaultBaseUrl],
  ]);
  const baseUrl = checkUrl(url?.value ?? defaultBaseUrl);
  const isOwnProfile = profile !== undefined && sameOrigin(profile.base_url, baseUrl);
  const key = first<string>([
    ["flag", flags.apiKey],
    [flags.profile ? "flag" : "environment", flags.profile ? profile?.api_key : undefined],
    ["environment", MEDIAMILL_API_KEY],
    // A key is sent only to the service that it belongs to.
    ["user file", isOwnProfile ? profile.api_key : undefined],
  ]);
  if (url?.source === "project file" && key?.source === "environment" && !isOwnProfile) {
    throw new UsageError(
      `${found?.path} names the service ${baseUrl}, but MEDIAMILL_API_KEY may belong to another. Set MEDIAMILL_BASE_URL too, or pass --base-url.`,
    );
  }
  return {
    profile: name,
    baseUrl,
    baseUrlSource: url?.source ?? "default",
    apiKey: key?.value,
    apiKeySource: key?.source,
    expiresAt: key?.value === profile?.api_key ? profile?.expires_at : undefined,
    project,
    projectPath: found?.path,
    quiet: flags.quiet ?? false,
  };
}

function first<Value>(
  candidates: readonly (readonly [Source, Value | undefined])[],
): { readonly source: Source; readonly value: Value } | undefined {
  for (const [source, value] of candidates) {
    if (value !== undefined && value !== "") return { source, value };
  }
  return undefined;
}

function checkUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new UsageError(`The base URL must start with http:// or https://, not ${text}.`);
  }
  return text.replace(/\/+$/, "");
}

function sameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && new URL(one).origin === new URL(other).origin;
}
