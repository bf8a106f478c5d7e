import { decodeJson } from '../../codec/json/index.ts';
import { DecodeError } from '../../meta/decode-error.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A JSON Web Token in its compact form, taken apart. Nothing of it is proven before its signature is. */
export interface SignedToken {
  readonly header: Fields;
  readonly claims: Fields;
  /** What the signature is about. */
  readonly content: Buffer;
  readonly signature: Buffer;
}

/** No token is nearly as long that is worth the work. */
const longest = 64 * 1024;
const base64Url = /^[A-Za-z0-9_-]*$/;

/** Undefined when the text is no token of this form, written in the one way in which it can be. */
export function parseToken(token: string): SignedToken | undefined {
  if (token.length > longest) return undefined;
  const parts = token.split('.', 4);
  if (parts.length !== 3) return undefined;
  const [head = '', body = '', end = ''] = parts;
  const claims = decodedObject(body);
  const header = claims && decodedObject(head);
  const signature = header && decodedBytes(end);
  if (signature === undefined) return undefined;
  const content = Buffer.from(token.slice(0, head.length + 1 + body.length), 'latin1');
  return { header: header!, claims: claims!, content, signature };
}

/** Two readers must never see different values in it: an object with repeated keys is none. */
function decodedObject(text: string): Fields | undefined {
  const bytes = decodedBytes(text);
  if (bytes === undefined) return undefined;
  try {
    const { value, duplicates } = decodeJson(bytes);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && duplicates.length === 0 ? (value as Fields) : undefined;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return undefined;
  }
}

function decodedBytes(text: string): Buffer | undefined {
  if (!base64Url.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}
