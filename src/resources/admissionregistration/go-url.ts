import { goQuote } from '../../meta/go-quote.ts';

/** The components of a URL, split as Go's `net/url` does. */
interface GoUrl {
  readonly scheme: string;
  readonly host: string;
  /** Undefined when the URL has no user information. An empty string counts as user information. */
  readonly user: string | undefined;
  readonly query: string;
  readonly fragment: string;
}

const schemeSyntax = /^[A-Za-z][A-Za-z0-9+.-]*(?=:)/;
const controlCharacter = /[\u0000-\u001f\u007f]/;
const userSyntax = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
const portSyntax = /^(?::[0-9]*)?$/;
const badEscape = /%(?![0-9A-Fa-f]{2}).{0,2}/s;
const badHostCharacter = /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\u0080-\uffff]/;

/** Returns the parsed URL, or the error message that Go's parser returns. */
export function parseGoUrl(text: string): GoUrl | string {
  const hash = text.indexOf('#');
  const withoutFragment = hash < 0 ? text : text.slice(0, hash);
  const fragment = hash < 0 ? '' : text.slice(hash + 1);
  const parsed = parseWithoutFragment(withoutFragment);
  if (typeof parsed === 'string') return `parse ${goQuote(withoutFragment)}: ${parsed}`;
  const broken = badEscape.exec(fragment);
  if (broken !== null) return `parse ${goQuote(text)}: invalid URL escape ${goQuote(broken[0])}`;
  return { ...parsed, fragment: decoded(fragment) };
}

function parseWithoutFragment(text: string): Omit<GoUrl, 'fragment'> | string {
  if (controlCharacter.test(text)) return 'net/url: invalid control character in URL';
  if (text.startsWith(':')) return 'missing protocol scheme';
  const scheme = schemeSyntax.exec(text)?.[0] ?? '';
  const afterScheme = scheme === '' ? text : text.slice(scheme.length + 1);
  const question = afterScheme.indexOf('?');
  const query = question < 0 ? '' : afterScheme.slice(question + 1);
  const rest = question < 0 ? afterScheme : afterScheme.slice(0, question);
  const components = { scheme: scheme.toLowerCase(), host: '', user: undefined, query };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return components;
    const [first = ''] = rest.split('/', 1);
    if (first.includes(':')) return 'first path segment in URL cannot contain colon';
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'));
  const slash = hasAuthority ? rest.indexOf('/', 2) : 0;
  const path = slash < 0 ? '' : rest.slice(slash);
  const authority = hasAuthority ? parseAuthority(slash < 0 ? rest.slice(2) : rest.slice(2, slash)) : components;
  if (typeof authority === 'string') return authority;
  const broken = badEscape.exec(path);
  if (broken !== null) return `invalid URL escape ${goQuote(broken[0])}`;
  return { ...components, user: authority.user, host: authority.host };
}

function parseAuthority(authority: string): Pick<GoUrl, 'host' | 'user'> | string {
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  const problem = hostProblem(host);
  if (problem !== undefined) return problem;
  if (at < 0) return { host, user: undefined };
  const user = authority.slice(0, at);
  return userSyntax.test(user) ? { host, user } : 'net/url: invalid userinfo';
}

function hostProblem(host: string): string | undefined {
  const bracket = host.startsWith('[') ? host.lastIndexOf(']') : -1;
  if (host.startsWith('[') && bracket < 0) return "missing ']' in host";
  const colon = host.lastIndexOf(':');
  const port = bracket >= 0 ? host.slice(bracket + 1) : colon < 0 ? '' : host.slice(colon);
  if (!portSyntax.test(port)) return `invalid port ${goQuote(port)} after host`;
  const broken = badEscape.exec(host);
  if (broken !== null) return `invalid URL escape ${goQuote(broken[0])}`;
  const character = badHostCharacter.exec(host);
  return character === null ? undefined : `invalid character ${goQuote(character[0])} in host name`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
