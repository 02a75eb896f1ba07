/** The API key or browser token of a request, from `X-API-Key` or `Authorization: Bearer`. */
export function credentialOf(request: Request): string | undefined {
  return (request.headers.get("x-api-key") || bearerToken(request))?.trim();
}

/** The token of `Authorization: Bearer`. */
export function bearerToken(request: Request): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}
