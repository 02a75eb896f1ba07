import { createInngest } from "#lib/queue/inngest.ts";

/** One app per kind of process. A function belongs to one app, or each event would run it twice. */
export const webApp = () => createInngest("mediamill-web");
export const mediaApp = () => createInngest("mediamill-media");
/**
 * The app for files at URLs. It is in the same process as `mediamill-media`, with separate slots:
 * fetching uses no engine slot.
 */
export const fetchApp = () => createInngest("mediamill-fetch");
export const webhooksApp = () => createInngest("mediamill-webhooks");
