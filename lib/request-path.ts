/** Paths whose errors are JSON. All other paths are pages, such as `/packages` itself. */
const apiPath =
  /^\/((v1|mcp|files|uploads|hooks|try|dashboard\/api|openapi\.json|status\.json|healthz|readyz|metrics)(\/|$)|packages\/)/;

export function isApiPath(path: string): boolean {
  return apiPath.test(path);
}

/** Whether a path, as it was sent, can be decoded. */
export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

export const undecodableMessage =
  "The path is not valid: every % must start an escaped UTF-8 character.";
