/** Whether a URL leads to this machine only: `localhost`, a name under it, or a loopback address. */
export function isLocalUrl(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
