import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UsageError } from "../errors.ts";
import { configFolder } from "./folders.ts";

/** An installation of the service and the account's key. */
export interface Profile {
  readonly base_url: string;
  readonly api_key?: string;
  /** The end of the key's validity in RFC 3339. */
  readonly expires_at?: string;
}

/** The content of `config.json` in the user's folder. */
export interface UserFile {
  /** The profile that is used without `--profile`. */
  readonly profile?: string;
  readonly profiles?: Readonly<Record<string, Profile>>;
}

/**
 * The content of `mediamill.json` in the project's folder, or above it. It may be shared, so it has
 * no key.
 */
export interface ProjectFile {
  readonly profile?: string;
  readonly base_url?: string;
  readonly concurrency?: number;
  /** Parameters by operation: `{"image/resize": {"width": 800}}`. */
  readonly defaults?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export const userFilePath = (): string => join(configFolder(), "config.json");

export async function readUserFile(): Promise<UserFile> {
  return ((await readJson(userFilePath())) ?? {}) as UserFile;
}

/** Writes the file so that only its owner can read it, and never half of it. */
export async function writeUserFile(content: UserFile): Promise<void> {
  const path = userFilePath();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const partial = `${path}.${process.pid}`;
  await writeFile(partial, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(partial, path);
}

/** Adds, replaces or removes a profile. */
export async function updateProfile(name: string, profile: Profile | undefined): Promise<void> {
  const file = await readUserFile();
  const { [name]: _removed, ...others } = file.profiles ?? {};
  const profiles = profile ? { ...others, [name]: profile } : others;
  await writeUserFile({ ...file, profiles });
}

const projectFields = new Set(["profile", "base_url", "concurrency", "defaults"]);

/** The nearest project file, from the current folder up. */
export async function readProjectFile(
  start = process.cwd(),
): Promise<{ path: string; content: ProjectFile } | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    const path = join(folder, "mediamill.json");
    const content = await readJson(path);
    if (content) {
      const unknown = Object.keys(content).find((name) => !projectFields.has(name));
      if (unknown) {
        const allowed = [...projectFields].join(", ");
        throw new UsageError(`${path}: \`${unknown}\` is not a setting. Allowed: ${allowed}.`);
      }
      return { path, content: content as ProjectFile };
    }
    if (dirname(folder) === folder) return undefined;
  }
}

async function readJson(path: string): Promise<object | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const content = parseObject(text);
  if (!content) throw new UsageError(`${path} is not a JSON object. Repair or delete it.`);
  return content;
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
