import { X509Certificate } from 'node:crypto';
import { type FieldError, invalidValue, tooLong } from '../../meta/field-error.ts';
import { nextPemBlock, type PemBlock } from '../../pki/pem.ts';

const maxBytes = 1024 * 1024;
const shown = '<value omitted>';

/** A bundle must have at least one certificate. Each must be a CA certificate, and none may occur twice. */
export function validateTrustAnchors(bundle: string, field: string): FieldError[] {
  if (Buffer.byteLength(bundle) > maxBytes) return [tooLong(field, maxBytes)];
  const entriesByKey = new Map<string, number[]>();
  const problems: string[] = [];
  let entry = 0;
  for (let block = nextPemBlock(bundle); block !== undefined; block = nextPemBlock(bundle, block.end)) {
    const problem = anchorProblem(block);
    const key = block.bytes.toString('base64');
    if (problem !== undefined) problems.push(`entry ${entry} ${problem}`);
    else entriesByKey.set(key, [...(entriesByKey.get(key) ?? []), entry]);
    entry++;
  }
  if (problems.length === 0 && entriesByKey.size === 0) problems.push('at least one trust anchor must be provided');
  else if (problems.length === 0) {
    for (const entries of entriesByKey.values()) {
      if (entries.length > 1) problems.push(`duplicate trust anchor (indices [${entries.join(' ')}])`);
    }
  }
  return problems.map((detail) => invalidValue(field, shown, detail));
}

function anchorProblem({ type, hasHeaders, bytes }: PemBlock): string | undefined {
  if (type !== 'CERTIFICATE') return `has bad block type: ${type}`;
  if (hasHeaders) return 'has PEM block headers';
  const certificate = certificateOf(bytes);
  if (certificate === undefined) return 'does not parse as X.509';
  return certificate.ca ? undefined : 'does not have the CA bit set';
}

/** Returns undefined when the bytes are not a certificate. */
export function certificateOf(bytes: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes);
  } catch {
    return undefined;
  }
}
