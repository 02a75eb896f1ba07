import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

interface Workflow {
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly container?: { readonly image: string };
        readonly strategy?: { readonly matrix: { readonly target: readonly string[] } };
        readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
      }
    >
  >;
}

describe("the workflow", () => {
  const { jobs }: Workflow = parse(read(".github/workflows/ci.yml"));
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it("runs the checks of .ci/run on the system of the Dockerfile, and builds the packages", () => {
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands).toContain(".ci/run");
    expect(statSync(join(root, ".ci/run")).mode & 0o111).toBeGreaterThan(0);
    const [, version, suite] = /^FROM node:([\d.]+)-(\w+)/m.exec(read("Dockerfile")) ?? [];
    expect(jobs.checks?.container?.image).toBe(`node:${version}-${suite}`);
    expect(commands).toContain("npm run packages");
  });

  it("builds each image that compose.yaml and the Dockerfile describe", () => {
    const described = [...read("Dockerfile").matchAll(/^# ([a-z-]+) {2,}/gm)].map(
      ([, name]) => name,
    );
    expect(described).toContain("media-av");
    expect(jobs.images?.strategy?.matrix.target).toEqual(described);
  });

  it("pins each action to a commit", () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    expect(actions.length).toBeGreaterThan(2);
    for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  });
});

it("the page on adding an operation shows the code of the files that it names", () => {
  const page = read("docs/adding-an-operation.md");
  const shown = [...page.matchAll(/`(lib\/[\w/-]+\.ts)`[^`]*\n\n```ts\n(.*?)```/gs)];
  expect(shown.map(([, file]) => file)).toHaveLength(2);
  for (const [, file = "", code = ""] of shown) expect(read(file)).toContain(code.trim());
});

it("the page on adding an operation names files, folders and commands that exist", () => {
  const page = read("docs/adding-an-operation.md");
  const paths = [...page.matchAll(/`((?:lib|tests|components|public)\/[\w./-]+)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read("package.json"));
  const commands = [...page.matchAll(/npm run ([a-z]+)/g)].map(([, name = ""]) => name);
  expect(commands.filter((name) => !(name in scripts))).toEqual([]);
});

it("the update bot knows each folder with dependencies", () => {
  const { updates }: { updates: { "package-ecosystem": string; directory: string }[] } = parse(
    read(".github/dependabot.yml"),
  );
  const manifests = { npm: "package.json", pip: "pyproject.toml", docker: "Dockerfile" };
  for (const [ecosystem, file] of Object.entries(manifests)) {
    const update = updates.find((one) => one["package-ecosystem"] === ecosystem);
    expect(existsSync(join(root, update?.directory ?? "none", file))).toBe(true);
  }
});

it("links between Markdown files at the root and in docs lead to a file, and to a heading of it", () => {
  const files = globSync(["*.md", "docs/*.md", "docs/architecture/*.md"], { cwd: root });
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
  const slugs = (path: string) =>
    [...readFileSync(path, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      slug(heading),
    );
  const broken = files.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:|\/)([^)#\s]*)(?:#([^)\s]*))?\)/g)].flatMap(
      ([link, path = "", anchor]) => {
        const target = path === "" ? join(root, file) : join(root, dirname(file), path);
        if (!existsSync(target)) return [`${file}: ${link}`];
        return anchor && !slugs(target).includes(anchor) ? [`${file}: ${link}`] : [];
      },
    ),
  );
  expect(broken).toEqual([]);
});
