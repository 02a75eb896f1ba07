/**
 * Refreshes the page on its own, if the service responds. Next.js leaves the page for that of the browser's error if
 * a refresh gets no response.
 */
export async function refreshReachable(router: { refresh(): void }): Promise<void> {
  const isReachable = await fetch("/healthz", { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isReachable) router.refresh();
}
