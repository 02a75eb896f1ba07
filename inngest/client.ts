import { createInngest } from "#lib/queue/inngest.ts";

/** One app a process kind: a function lives in one app, or each event would run it twice. */
export const webApp = () => createInngest("mediamill-web");
export const mediaApp = () => createInngest("mediamill-media");
export const webhooksApp = () => createInngest("mediamill-webhooks");
