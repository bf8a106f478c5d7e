import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { UserInfo } from '../../meta/user.ts';
import type { Connection } from '../exchange.ts';

const mappedPrefix = '::ffff:';

/** The connection of one TLS socket. The certificate is read on first use. */
export class TlsConnection implements Connection {
  readonly remoteAddress: string;
  readonly secure = true;
  user: UserInfo | undefined = undefined;
  userValidity: Connection['userValidity'] = undefined;
  userGeneration: number | undefined = undefined;
  shutDown: (() => void) | undefined = undefined;
  moveClient: (() => void) | undefined = undefined;
  readonly acceptedAt = performance.now();
  readonly #socket: TLSSocket;
  #certificate: X509Certificate | undefined | null = null;

  constructor(socket: TLSSocket) {
    this.#socket = socket;
    // Read now: a closed socket no longer has it.
    const address = socket.remoteAddress ?? '';
    this.remoteAddress = address.startsWith(mappedPrefix) ? address.slice(mappedPrefix.length) : address;
  }

  get clientCertificate(): X509Certificate | undefined {
    if (this.#certificate === null) this.#certificate = this.#socket.getPeerX509Certificate();
    return this.#certificate;
  }

  get clientCertificateTrusted(): boolean {
    // Node reports a resumed TLS 1.3 session as authorized even if the client never presented a certificate.
    return this.#socket.authorized && this.clientCertificate !== undefined;
  }
}
