import { unauthorized } from '../meta/status-error.ts';
import type { UserInfo } from '../meta/user.ts';
import { withAuthenticatedGroup } from './authenticated-group.ts';
import type { Authenticator, Credentials } from './authenticator.ts';
import { type CertificateAuthorities, isWithin, type Validity } from './certificate-authorities.ts';
import { commonNameOf, trustedValidity } from './client-certificate.ts';
import type { Peer } from './peer.ts';
import { headerValues, valuesByPrefix } from './raw-headers.ts';

/** Which proxies are trusted, and in which headers they send the user. */
export interface ProxyHeaders {
  /** Accepted common names of the proxies. Empty accepts any name. */
  readonly allowedNames: readonly string[];
  /** The first of these headers that has a value is used. */
  readonly usernameHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

export interface FrontProxyOptions extends ProxyHeaders {
  /** CAs whose certificates identify proxies. */
  readonly authorities: CertificateAuthorities;
  readonly now?: () => number;
}

/**
 * Accepts the user that a trusted proxy names in headers. The proxy must present its client certificate on the
 * connection. The same headers from any other client are ignored.
 */
export class FrontProxyAuthenticator implements Authenticator {
  readonly #options: FrontProxyOptions;
  readonly #names: Record<'username' | 'group' | 'uid' | 'extra', readonly string[]>;
  readonly #proxies = new WeakMap<Peer, { readonly validity: Validity; readonly generation: number }>();

  constructor(options: FrontProxyOptions) {
    this.#options = options;
    const lowerCase = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase());
    this.#names = {
      username: lowerCase(options.usernameHeaders),
      group: lowerCase(options.groupHeaders),
      uid: lowerCase(options.uidHeaders),
      extra: lowerCase(options.extraHeaderPrefixes),
    };
  }

  authenticate({ connection, rawHeaders }: Credentials): UserInfo | undefined {
    const { username, group, uid, extra } = this.#names;
    const name = firstValue(rawHeaders, username);
    if (name === '' || connection.clientCertificate === undefined) return undefined;
    if (!this.#isProxy(connection)) throw unauthorized();
    const user = {
      name,
      uid: firstValue(rawHeaders, uid),
      groups: group.flatMap((header) => headerValues(rawHeaders, header)),
      // No prototype, because the client chooses the names.
      extra: Object.assign(Object.create(null), ...extra.map((prefix) => valuesByPrefix(rawHeaders, prefix))),
    };
    return withAuthenticatedGroup(user);
  }

  #isProxy(connection: Peer): boolean {
    const { authorities, allowedNames, now = Date.now } = this.#options;
    const known = this.#proxies.get(connection);
    const { generation } = authorities;
    const time = now();
    if (known !== undefined && known.generation === generation && isWithin(known.validity, time)) return true;
    const certificate = connection.clientCertificate!;
    if (!connection.clientCertificateTrusted) return false;
    if (allowedNames.length > 0 && !allowedNames.includes(commonNameOf(certificate))) return false;
    const validity = trustedValidity(certificate, authorities, time);
    if (validity === undefined) return false;
    this.#proxies.set(connection, { validity, generation });
    return true;
  }
}

function firstValue(rawHeaders: readonly string[], names: readonly string[]): string {
  for (const name of names) {
    const [value = ''] = headerValues(rawHeaders, name);
    if (value !== '') return value;
  }
  return '';
}
