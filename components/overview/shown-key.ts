"use client";

let shown: { readonly accountId: string; readonly apiKey: string } | undefined;

/**
 * The key that was created in the first steps since the page was loaded. It is kept in memory only, so that it is
 * still shown after a visit to another page of the dashboard, and gone after a reload.
 */
export function readShownKey(accountId: string): string | undefined {
  return shown?.accountId === accountId ? shown.apiKey : undefined;
}

export function keepShownKey(accountId: string, apiKey: string): void {
  shown = { accountId, apiKey };
}

export function forgetShownKey(): void {
  shown = undefined;
}
