import { answerArchive } from "#lib/api/archive.ts";
import { routes } from "#lib/api/http/route.ts";
import { signedIn } from "#lib/api/http/session.ts";

/** All outputs of a job as one ZIP, for whoever is signed in. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  GET: signedIn(answerArchive),
});
