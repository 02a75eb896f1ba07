import { z } from "zod";
import { workerFunction } from "#lib/engines/worker/worker-function.ts";
import { maxBookmarks } from "./levels.ts";

const load = () => import(/* turbopackIgnore: true */ "./bookmark-tasks.ts");

export const setBookmarks = workerFunction(
  import.meta.url,
  async () => (await load()).setBookmarks,
);

export const listBookmarks = workerFunction(
  import.meta.url,
  async () => (await load()).listBookmarks,
  z.object({
    bookmarks: z
      .array(
        z.object({
          title: z.string().max(2000),
          page: z.int().min(1).nullable(),
          level: z.int().min(1),
        }),
      )
      .max(maxBookmarks),
    count: z.int(),
  }),
);
