import { goQuote } from '../../meta/go-quote.ts';
import { CelError } from '../cel-error.ts';
import { parseAddress } from './parse-address.ts';

/** The parts of a URL, without normalization. */
export interface ParsedUrl {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

/** The maximum length of an invalid text in an error message. */
const maxShown = 10_000;

/** Parses a URL with a scheme, or an absolute path, as Go's `url.ParseRequestURI` does. Throws its errors. */
export function parseUrl(text: string): ParsedUrl {
  try {
    // A fragment is first refused or accepted as part of the others, and then left out.
    parts(text, { isRequest: true });
    return parts(text.replace(/#.*$/s, ''), { isRequest: false });
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    throw new CelError(`parse ${goQuote(text.slice(0, maxShown))}: ${error.message}`);
  }
}

function parts(text: string, { isRequest }: { readonly isRequest: boolean }): ParsedUrl {
  if (/[\x00-\x1f\x7f]/.test(text)) throw new CelError('net/url: invalid control character in URL');
  if (text === '' && isRequest) throw new CelError('empty url');
  if (text === '*') return { scheme: '', host: '', path: '*', query: '' };
  if (text.startsWith(':')) throw new CelError('missing protocol scheme');
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1] ?? '';
  const [rest, query] = cut(scheme === '' ? text : text.slice(scheme.length + 1), '?');
  if (!rest.startsWith('/')) {
    // What follows the scheme has no parts.
    if (scheme !== '') return { scheme: scheme.toLowerCase(), host: '', path: '', query };
    if (isRequest) throw new CelError('invalid URI for request');
  }
  const hasAuthority = (scheme !== '' || (!isRequest && !rest.startsWith('///'))) && rest.startsWith('//');
  const end = hasAuthority ? rest.indexOf('/', 2) : 0;
  const path = end < 0 ? '' : rest.slice(end);
  const host = hasAuthority ? hostOf(end < 0 ? rest.slice(2) : rest.slice(2, end)) : '';
  checkEscapes(path);
  return { scheme: scheme.toLowerCase(), host, path, query };
}

function cut(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function hostOf(authority: string): string {
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  checkHost(host);
  const user = at < 0 ? '' : authority.slice(0, at);
  if (/[^a-zA-Z0-9\-._:~!$&'()*+,;=%@]/.test(user)) throw new CelError('net/url: invalid userinfo');
  checkEscapes(user);
  return host.includes('%') ? unescaped(host) : host;
}

function checkHost(host: string): void {
  const open = host.lastIndexOf('[');
  if (open > 0) throw new CelError('invalid IP-literal');
  const close = host.lastIndexOf(']');
  if (open === 0 && close < 0) throw new CelError("missing ']' in host");
  const colon = host.indexOf(':');
  const port = open === 0 ? host.slice(close + 1) : colon < 0 ? '' : host.slice(colon);
  if (!/^(?::[0-9]*)?$/.test(port)) throw new CelError(`invalid port ${goQuote(port)} after host`);
  const name = open === 0 ? host.slice(1, close) : host.slice(0, host.length - port.length);
  checkHostCharacters(name);
  if (open === 0) checkIpLiteral(unescaped(name));
}

function checkIpLiteral(text: string): void {
  let family: 4 | 6;
  try {
    family = parseAddress(text).family;
  } catch (error) {
    if (error instanceof CelError) throw new CelError(`invalid host: ${error.message}`);
    throw error;
  }
  if (family === 4) throw new CelError('invalid IP-literal');
}

function checkHostCharacters(name: string): void {
  checkEscapes(name);
  // Only characters outside of ASCII, and the percent sign before a zone, may be escaped.
  const forbidden = /%(?!25)[0-7][0-9a-fA-F]/.exec(name)?.[0];
  if (forbidden !== undefined) throw new CelError(`invalid URL escape ${goQuote(forbidden)}`);
  const character = /[ #\\^`{|}]/.exec(name)?.[0];
  if (character !== undefined) throw new CelError(`invalid character ${goQuote(character)} in host name`);
}

function checkEscapes(text: string): void {
  const at = text.search(/%(?![0-9a-fA-F]{2})/);
  if (at >= 0) throw new CelError(`invalid URL escape ${goQuote(text.slice(at, at + 3))}`);
}

function unescaped(text: string): string {
  const bytes: number[] = [];
  const all = Buffer.from(text);
  for (let index = 0; index < all.length; index++) {
    if (all[index] !== 0x25) bytes.push(all[index]!);
    else {
      bytes.push(Number.parseInt(all.toString('latin1', index + 1, index + 3), 16));
      index += 2;
    }
  }
  return Buffer.from(bytes).toString();
}
