import { createInngest } from "#lib/queue/inngest.ts";

/** One app a process kind: a function lives in one app, or each event would run it twice. */
export const webApp = () => createInngest("mediamill-web");
export const mediaApp = () => createInngest("mediamill-media");
/** Beside `mediamill-media` in the same process, with places of its own: fetching takes no engine's. */
export const fetchApp = () => createInngest("mediamill-fetch");
export const webhooksApp = () => createInngest("mediamill-webhooks");
