import type { X509Certificate } from 'node:crypto';
import type { Peer } from './peer.ts';

/** Longer than any chain in practice. The last certificate may be its own issuer. */
const maxLength = 8;

/** The certificate of a client and the intermediate ones that it sent. Intermediates get lost between threads. */
export function certificateChain({ clientCertificate }: Pick<Peer, 'clientCertificate'>): readonly X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (let link = clientCertificate; link !== undefined && chain.length < maxLength; ) {
    chain.push(link);
    link = link.issuerCertificate;
  }
  return chain;
}

/** The certificate of the client, with the others of the chain as its issuers. */
export function withIssuers(chain: readonly X509Certificate[]): X509Certificate | undefined {
  for (const [index, certificate] of chain.slice(0, -1).entries()) {
    Object.defineProperty(certificate, 'issuerCertificate', { value: chain[index + 1] });
  }
  return chain[0];
}
