/** The type of records with application data, and of the first record of a connection (RFC 8446, 5.1). */
const applicationData = 23;
const handshake = 22;

/** Bytes of a record before its content: the type, the version, and the length in the last two. */
const headerBytes = 5;

/**
 * Counts the messages that a TLS client sends, without reading them. A browser sends each request in a record of its
 * own, and never two in one, so a connection has at most as many requests as messages.
 */
export class TlsMessageCounter {
  readonly #header: number[] = [];
  /** Bytes of the present record that are still to come. */
  #missing = 0;
  #isTls: boolean | undefined;

  /** Returns how many messages begin in the next bytes of the connection. Of another protocol, it counts none. */
  add(chunk: Uint8Array): number {
    this.#isTls ??= chunk[0] === handshake;
    if (!this.#isTls) return 0;
    let messages = 0;
    for (let at = 0; at < chunk.length; ) {
      const skipped = Math.min(this.#missing, chunk.length - at);
      at += skipped;
      this.#missing -= skipped;
      while (this.#missing === 0 && at < chunk.length) {
        this.#header.push(chunk[at++] ?? 0);
        const [type, , , high = 0, low = 0] = this.#header;
        if (this.#header.length < headerBytes) continue;
        this.#missing = high * 256 + low;
        this.#header.length = 0;
        if (type === applicationData) messages++;
      }
    }
    return messages;
  }
}
