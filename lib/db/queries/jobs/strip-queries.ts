import { type SQL, sql } from "drizzle-orm";
import { jobs } from "../../schema/jobs.ts";

const withoutQuery = (url: SQL) => sql`regexp_replace(${url}, '[?#].*$', '')`;

/** A file of a job, whose URLs have no query and no fragment. */
function stripFile(file: SQL): SQL {
  const urls = sql`jsonb_build_object(
    'url', ${withoutQuery(sql`${file} ->> 'url'`)},
    'requestedUrl', ${withoutQuery(sql`${file} ->> 'requestedUrl'`)},
    'finalUrl', ${withoutQuery(sql`${file} ->> 'finalUrl'`)})`;
  return sql`(${file}::jsonb || jsonb_strip_nulls(${urls}))::json`;
}

/**
 * The files of a job without the queries of their URLs, which may be secrets, such as those of presigned URLs. For
 * jobs whose files are deleted: without a query, no file can be fetched again.
 */
export const strippedFiles = {
  source: stripFile(sql`${jobs.source}`),
  parts: sql`coalesce(
    (select json_object_agg(key, ${stripFile(sql`value`)}) from json_each(${jobs.parts})), '{}')`,
};
