/**
 * Refreshes the page on its own, if the service responds. Next.js leaves the page for an error page if a refresh gets
 * no response, or that of a proxy whose service is unavailable. A proxy may hide `/healthz`: 404 is a response, too.
 */
export async function refreshReachable(router: { refresh(): void }): Promise<void> {
  const isReachable = await fetch("/healthz", { method: "HEAD", cache: "no-store" }).then(
    ({ status }) => status < 500,
    () => false,
  );
  if (isReachable) router.refresh();
}
