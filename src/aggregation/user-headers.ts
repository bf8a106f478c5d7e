import type { UserInfo } from '../meta/user.ts';

/** The characters allowed in a header name. The percent sign marks encoded bytes. */
const nameByte = /[!#$&'*+\-.^_`|~0-9A-Za-z]/;

/** The headers in which a front proxy names the user of a request. */
export function userHeaders({ name, uid, groups, extra }: UserInfo): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = { 'X-Remote-User': bytesOf(name) };
  if (uid !== '') headers['X-Remote-Uid'] = bytesOf(uid);
  if (groups.length > 0) headers['X-Remote-Group'] = groups.map(bytesOf);
  for (const [key, values] of Object.entries(extra)) {
    headers[`X-Remote-Extra-${encodedName(key)}`] = values.map(bytesOf);
  }
  return headers;
}

/** UTF-8, one character per byte: Node.js sends header values in Latin-1. */
function bytesOf(value: string): string {
  return Buffer.from(value).toString('latin1');
}

function encodedName(key: string): string {
  let encoded = '';
  for (const byte of Buffer.from(key)) {
    const character = String.fromCharCode(byte);
    encoded += nameByte.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}
