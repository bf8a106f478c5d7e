const maxLength = 8_192;
const atom = "[\\w!#$%&'*+\\-/=?^`{|}~\\u0080-\\u{10ffff}]+";
const dotAtom = new RegExp(String.raw`^${atom}(?:\.${atom})*$`, 'u');
const quoted = /^"(?:[^"\\\r\n]|\\[^\r\n])*"$/;

/** Whether a text is one mail address: `a@b.io`, `"A b"@c.io` or `Name <a@b.io>`. */
export function isEmailAddress(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) return false;
  if (!trimmed.endsWith('>')) return isAddress(trimmed);
  const open = trimmed.lastIndexOf('<');
  return open >= 0 && isPhrase(trimmed.slice(0, open).trim()) && isAddress(trimmed.slice(open + 1, -1).trim());
}

function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1) return false;
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  return (dotAtom.test(local) || quoted.test(local)) && (dotAtom.test(domain) || /^\[[^[\]\\]+\]$/.test(domain));
}

/** The name before an address: words and quoted texts. */
function isPhrase(text: string): boolean {
  return (
    text === '' || quoted.test(text) || text.split(/[ \t]+/).every((word) => dotAtom.test(word.replace(/\.$/, '')))
  );
}

/** Whether Go parses a text as the target of a request: an absolute path, or a URI with a scheme. */
export function isRequestUri(text: string): boolean {
  if (text === '' || text.length > maxLength || /[\u0000-\u001f\u007f]/.test(text)) return false;
  if (text === '*') return true;
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text);
  if (scheme === null && text.startsWith(':')) return false;
  const rest = (scheme === null ? text : text.slice(scheme[0].length)).split('?', 1)[0]!;
  if (!rest.startsWith('/')) return scheme !== null;
  if (scheme === null || !rest.startsWith('//')) return hasValidEscapes(rest);
  const end = rest.indexOf('/', 2);
  const authority = end < 0 ? rest.slice(2) : rest.slice(2, end);
  return isAuthority(authority) && hasValidEscapes(end < 0 ? '' : rest.slice(end));
}

const hasValidEscapes = (text: string): boolean => !/%(?![0-9a-fA-F]{2})/.test(text);

function isAuthority(text: string): boolean {
  const at = text.lastIndexOf('@');
  const user = text.slice(0, Math.max(at, 0));
  const host = text.slice(at + 1);
  if (!/^[\w\-.:~!$&'()*+,;=%@]*$/.test(user) || !hasValidEscapes(user)) return false;
  if (host.startsWith('[')) return /^\[[^\]]*\](?::\d*)?$/.test(host);
  const port = host.lastIndexOf(':');
  if (port >= 0 && !/^:\d*$/.test(host.slice(port))) return false;
  return !/[ "<>\\^`{|}#]/.test(host) && !/%[0-7][0-9a-fA-F]|%(?![0-9a-fA-F]{2})/.test(host);
}
