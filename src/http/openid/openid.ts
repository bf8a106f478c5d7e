import type { ServiceAccountKeys, VerificationKey } from '../../authn/index.ts';
import { routeMethodNotAllowed } from '../../meta/status-error.ts';
import type { Exchange } from '../exchange.ts';
import { headersOf } from '../render.ts';

export interface OpenIdOptions {
  readonly keys: Pick<ServiceAccountKeys, 'all'>;
  /** The issuer of the tokens. */
  readonly issuer: string;
  /** The announced URL of the keys. By default at the server's own address. */
  readonly jwksUri?: string | undefined;
  /** The `host:port` of the server. Called on the first request for it. */
  readonly serverAddress: () => string;
}

interface Documents {
  readonly keys: readonly VerificationKey[];
  readonly configuration: string;
  readonly keySet: string;
}

const configurationPath = '/.well-known/openid-configuration';
const keySetPath = '/openid/v1/jwks';

/** Serves `/.well-known/openid-configuration` and `/openid/v1/jwks`. */
export class OpenId {
  /** Empty when the issuer is not a URL at which clients could find these documents. */
  readonly paths: readonly string[];
  readonly #options: OpenIdOptions;
  #documents: Documents | undefined;

  /** Throws a RangeError when the announced URL of the keys is not an https URL. */
  constructor(options: OpenIdOptions) {
    const { issuer, jwksUri } = options;
    if (jwksUri !== undefined && URL.parse(jwksUri)?.protocol !== 'https:') {
      throw new RangeError(`service-account-jwks-uri requires https scheme, parsed as: ${jwksUri}`);
    }
    this.#options = options;
    this.paths = isDiscoverable(issuer) ? [configurationPath, keySetPath] : [];
  }

  /** Returns false for any other path. Otherwise it has responded, or throws a StatusError. */
  handle(exchange: Exchange, path: string): boolean {
    if (!this.paths.includes(path)) return false;
    if (exchange.method !== 'GET' && exchange.method !== 'HEAD') throw routeMethodNotAllowed();
    const { configuration, keySet } = this.#present();
    const isKeySet = path === keySetPath;
    const headers = headersOf(exchange, isKeySet ? 'application/jwk-set+json' : 'application/json');
    headers['cache-control'] = 'public, max-age=3600';
    exchange.respond(200, headers, isKeySet ? keySet : configuration);
    return true;
  }

  #present(): Documents {
    const { keys, issuer, jwksUri, serverAddress } = this.#options;
    const { all } = keys;
    if (this.#documents?.keys === all) return this.#documents;
    const configuration = {
      issuer,
      jwks_uri: jwksUri ?? `https://${serverAddress()}${keySetPath}`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [...new Set(all.map(({ algorithm }) => algorithm))].sort(),
    };
    this.#documents = {
      keys: all,
      configuration: JSON.stringify(configuration),
      keySet: JSON.stringify({ keys: all.map(jsonWebKey) }),
    };
    return this.#documents;
  }
}

function isDiscoverable(issuer: string): boolean {
  return URL.parse(issuer)?.protocol === 'https:' && !/[?#]/.test(issuer);
}

function jsonWebKey({ id, algorithm, key }: VerificationKey): object {
  const { kty, crv, x, y, n, e } = key.export({ format: 'jwk' });
  return { use: 'sig', kty, kid: id, crv, alg: algorithm, x, y, n, e };
}
