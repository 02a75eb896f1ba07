import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectFolder } from "#lib/setup/node24.mjs";
import { writeChangelog } from "#scripts/commands/changelog.ts";
import { temporaryFolder } from "#tests/support/processes.ts";

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"));

/** A repository with commits of these subjects. */
async function makeRepository() {
  const folder = await temporaryFolder();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.test", ...args], {
      cwd: folder,
      stdio: "pipe",
    });
  git("init", "--quiet");
  return {
    folder,
    git,
    commit: (...subjects: string[]) => {
      for (const subject of subjects)
        git("commit", "--quiet", "--allow-empty", "--message", subject);
    },
    setVersion: (version: string) =>
      writeFileSync(join(folder, "package.json"), JSON.stringify({ version })),
    changelog: async () => {
      await writeChangelog(folder);
      return readFileSync(join(folder, "CHANGELOG.md"), "utf8");
    },
  };
}

it("lists features, fixes and faster parts by version, with breaking changes marked", async () => {
  const { git, commit, setVersion, changelog } = await makeRepository();
  setVersion("1.0.0");
  commit("feat(video): crop; test(video): frames", "docs: a page", "a merge", "fix(bench): a row");
  expect(await changelog()).toMatch(
    /## 1\.0\.0 \(\d{4}-\d\d-\d\d\)\n\n### Features\n\n- \*\*video:\*\* crop\n$/,
  );
  git("tag", "v1.0.0");
  commit("perf: fewer queries", "fix(api)!: names of fields");
  const unreleased = await changelog();
  expect(unreleased).toMatch(
    /## Unreleased\n\n### Fixes\n\n- \*\*Breaking\.\*\* \*\*api:\*\* names of fields\n\n### Performance\n\n- fewer queries\n\n## 1\.0\.0/,
  );
  setVersion("2.0.0");
  expect(await changelog()).toMatch(/## 2\.0\.0 \([\d-]+\)\n\n### Fixes[\s\S]+## 1\.0\.0 /);
});

it("the changelog has the version of each package", () => {
  const changelog = readFileSync(join(projectFolder, "CHANGELOG.md"), "utf8");
  for (const folder of ["", "packages/sdk", "packages/cli", "packages/n8n"]) {
    const { version } = readJson(join(projectFolder, folder, "package.json"));
    expect(changelog).toContain(`\n## ${version} (`);
  }
});
