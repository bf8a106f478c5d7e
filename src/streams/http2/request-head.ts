/** The checked headers of a request. Shared by all requests with the same headers. */
export class RequestHead {
  readonly method: string;
  /** The `:path`. Undefined for a CONNECT without `:protocol`. */
  readonly target: string | undefined;
  /** The `:protocol` of an extended CONNECT (RFC 8441). */
  readonly protocol: string | undefined;
  /** The value of `content-length`, or -1 if it is absent. */
  readonly contentLength: number;
  /** Names and values alternating, the pseudo-header fields first. */
  readonly fields: readonly string[];
  #values: Map<string, string> | undefined = undefined;

  constructor({ method, target, protocol, contentLength }: Pseudo, fields: readonly string[]) {
    this.method = method!;
    this.target = target;
    this.protocol = protocol;
    this.contentLength = contentLength;
    this.fields = fields;
  }

  /** The value of a header by its lower-case name. Repeated ones are joined. */
  value(name: string): string | undefined {
    this.#values ??= valuesOf(this.fields);
    return this.#values.get(name);
  }
}

interface Pseudo {
  method: string | undefined;
  target: string | undefined;
  scheme: string | undefined;
  authority: string | undefined;
  protocol: string | undefined;
  contentLength: number;
  hasHost: boolean;
}

const nameCharacters = characters("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz");
const methodPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const schemePattern = /^[A-Za-z][A-Za-z0-9+\-.]*$/;
const pathPattern = /^[\x21-\x7e\x80-\xff]+$/;
const authorityPattern = /^[A-Za-z0-9\-._~!$&'()*+,;=:@%[\]]*$/;
const lengthPattern = /^[0-9]{1,15}$/;
const colon = 0x3a;
const space = 0x20;
const tab = 0x09;
const deletion = 0x7f;
/** Headers that only HTTP/1.1 has. */
const connectionHeaders = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

/** Checks the fields of a request (RFC 9113, section 8). Undefined when they are malformed. */
export function requestHead(fields: readonly string[]): RequestHead | undefined {
  const pseudo: Pseudo = {
    method: undefined,
    target: undefined,
    scheme: undefined,
    authority: undefined,
    protocol: undefined,
    contentLength: -1,
    hasHost: false,
  };
  let inPseudo = true;
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at]!;
    const value = fields[at + 1]!;
    if (name.charCodeAt(0) === colon) {
      if (!inPseudo || !takePseudo(pseudo, name, value)) return undefined;
      continue;
    }
    inPseudo = false;
    if (!isRegular(name, value) || !takeHeader(pseudo, name, value)) return undefined;
  }
  return isComplete(pseudo) ? new RequestHead(pseudo, fields) : undefined;
}

/** Checks the trailers after a body. */
export function areTrailers(fields: readonly string[]): boolean {
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at]!;
    if (name.charCodeAt(0) === colon || !isRegular(name, fields[at + 1]!)) return false;
  }
  return true;
}

function takePseudo(pseudo: Pseudo, name: string, value: string): boolean {
  switch (name) {
    case ':method':
      if (pseudo.method !== undefined || !methodPattern.test(value)) return false;
      pseudo.method = value;
      return true;
    case ':path':
      if (pseudo.target !== undefined || !pathPattern.test(value)) return false;
      pseudo.target = value;
      return true;
    case ':scheme':
      if (pseudo.scheme !== undefined || !schemePattern.test(value)) return false;
      pseudo.scheme = value;
      return true;
    case ':authority':
      if (pseudo.authority !== undefined || !authorityPattern.test(value)) return false;
      pseudo.authority = value;
      return true;
    case ':protocol':
      if (pseudo.protocol !== undefined || !methodPattern.test(value)) return false;
      pseudo.protocol = value;
      return true;
    default:
      return false;
  }
}

function takeHeader(pseudo: Pseudo, name: string, value: string): boolean {
  switch (name) {
    case 'content-length':
      if (pseudo.contentLength !== -1 || !lengthPattern.test(value)) return false;
      pseudo.contentLength = Number(value);
      return true;
    case 'host':
      // With several hosts, a proxy may have routed the request by another one.
      if (pseudo.hasHost || !authorityPattern.test(value)) return false;
      pseudo.hasHost = true;
      return true;
    case 'te':
      return value.toLowerCase() === 'trailers';
    default:
      return true;
  }
}

function isComplete({ method, target, scheme, authority, protocol, hasHost }: Pseudo): boolean {
  if (method === undefined || (authority === undefined && !hasHost)) return false;
  if (method === 'CONNECT' && protocol === undefined) {
    return authority !== undefined && scheme === undefined && target === undefined;
  }
  if (protocol !== undefined && (method !== 'CONNECT' || authority === undefined)) return false;
  if (scheme === undefined || target === undefined) return false;
  return target.startsWith('/') || (method === 'OPTIONS' && target === '*');
}

function isRegular(name: string, value: string): boolean {
  if (name.length === 0 || connectionHeaders.has(name)) return false;
  for (let at = 0; at < name.length; at++) if (nameCharacters[name.charCodeAt(at)] !== 1) return false;
  const { length } = value;
  for (let at = 0; at < length; at++) {
    const code = value.charCodeAt(at);
    if ((code < space && code !== tab) || code === deletion) return false;
  }
  return length === 0 || !(isBlank(value.charCodeAt(0)) || isBlank(value.charCodeAt(length - 1)));
}

function isBlank(code: number): boolean {
  return code === space || code === tab;
}

function characters(allowed: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const one of allowed) table[one.charCodeAt(0)] = 1;
  return table;
}

function valuesOf(fields: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at]!;
    const before = values.get(name);
    const value = fields[at + 1]!;
    if (before === undefined) values.set(name, value);
    // Clients may split cookies, because single ones repeat more often.
    else values.set(name, `${before}${name === 'cookie' ? '; ' : ', '}${value}`);
  }
  return values;
}
