import { answerEvents } from "#lib/api/events.ts";
import { routes } from "#lib/api/http/route.ts";
import { signedIn } from "#lib/api/http/session.ts";
import { serializeJobDetails } from "#lib/jobs/view/details.ts";
import { phasesOf } from "#lib/jobs/view/phases.ts";

const view = {
  tell: serializeJobDetails,
  stateOf: (row: Parameters<typeof serializeJobDetails>[0]) =>
    `${row.status} ${row.progress} ${phasesOf(row).map(({ name }) => name)}`,
};

/** A job's details whenever its status, progress or phase changes, as Server-Sent Events. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  GET: signedIn((context) => answerEvents(context, view)),
});
