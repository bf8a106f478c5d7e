import { createHmac, type KeyObject, sign } from 'node:crypto';

/** Returns a token in the compact form with any parts and any signature. */
export function forgedToken(header: object, claims: object, signed: (content: string) => Buffer): string {
  const content = [header, claims]
    .map((segment) => Buffer.from(JSON.stringify(segment)).toString('base64url'))
    .join('.');
  return `${content}.${signed(content).toString('base64url')}`;
}

export function signedBy(key: KeyObject): (content: string) => Buffer {
  return (content) => sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
}

export function keyedBy(secret: string | Buffer): (content: string) => Buffer {
  return (content) => createHmac('sha256', secret).update(content).digest();
}

export const unsigned = (): Buffer => Buffer.alloc(0);

/** Returns the header and the claims of a token. */
export function decodedToken(token: string): { header: Record<string, unknown>; claims: Record<string, unknown> } {
  const [header, claims] = token
    .split('.', 2)
    .map((segment) => JSON.parse(Buffer.from(segment, 'base64url').toString()));
  return { header, claims };
}
