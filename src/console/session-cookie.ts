import { headerValues } from '../authn/index.ts';

/** The header of requests that use the session. No other page can make a browser send it. */
export const proofHeader = 'x-keelson-console';

/**
 * The name contains the port, because browsers share cookies between all ports of a host, and a machine may run several
 * servers.
 */
function cookieName(own: URL): string {
  return `__Host-keelson-${own.port === '' ? '443' : own.port}`;
}

/** The id of the session. Browsers split cookies over several headers in HTTP/2. */
export function sessionIdOf(rawHeaders: readonly string[], own: URL): string | undefined {
  const prefix = `${cookieName(own)}=`;
  for (const header of headerValues(rawHeaders, 'cookie')) {
    for (const pair of header.split(';')) {
      const text = pair.trim();
      if (text.startsWith(prefix)) return text.slice(prefix.length);
    }
  }
  return undefined;
}

/** Whether the request has a cookie of the console, for any port. */
export function hasSessionCookie(cookies: string): boolean {
  return cookies.includes('__Host-keelson-');
}

export function sessionCookie(own: URL, id: string, seconds: number): string {
  return `${cookieName(own)}=${id}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=${seconds}`;
}
