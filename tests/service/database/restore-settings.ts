import { afterAll } from "vitest";
import { env } from "#lib/env.ts";

/** The test files of a worker share the settings. Each leaves them as it has found them. */
const before = { ...env };

afterAll(() => {
  for (const name of Object.keys(env)) {
    if (!(name in before)) Reflect.deleteProperty(env, name);
  }
  Object.assign(env, before);
});
