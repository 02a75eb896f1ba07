/** Whether a header of another request can be sent: others have no other characters (RFC 9110, 5.1 and 5.5). */
export function isSendable(name: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value);
}
