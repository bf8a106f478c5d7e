import { goQuote } from '../../meta/go-quote.ts';
import { nextPemBlock } from './pem.ts';
import { certificateOf } from './trust-anchors.ts';

/** What is wrong with the certificates that a signer issued, as base64 of PEM. Undefined when nothing is, or there are none. */
export function issuedCertificateProblem(certificate: string | undefined): string | undefined {
  if (!certificate) return undefined;
  const text = Buffer.from(certificate, 'base64').toString('latin1');
  let blocks = 0;
  for (let block = nextPemBlock(text); block !== undefined; block = nextPemBlock(text, block.end)) {
    if (block.type !== 'CERTIFICATE') {
      return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(block.type)}`;
    }
    if (block.hasHeaders) return 'no PEM block headers are permitted';
    blocks++;
    if (block.bytes.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
    if (certificateOf(block.bytes) === undefined) return 'x509: malformed certificate';
  }
  return blocks === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}
