import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority, issueServer } from './certificates.ts';

export interface IssuerKeyPair {
  readonly id: string;
  readonly algorithm: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** An issuer of tokens with an HTTPS server on this machine. Tests choose its keys and faults. */
export class OpenIdIssuer {
  readonly url: string;
  /** The CA certificate in PEM. */
  readonly authority: string;
  /** The requested paths. */
  readonly requests: string[] = [];
  /** The keys that the issuer publishes. */
  keys: IssuerKeyPair[] = [];
  /** Handles a request instead of the issuer when it returns true. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  readonly #server: Server;

  private constructor(server: Server, authority: string) {
    this.#server = server;
    this.authority = authority;
    this.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#respond(request, response));
  }

  static async start(): Promise<OpenIdIssuer> {
    const authority = await createAuthority('openid-ca');
    const server = createServer(await issueServer(authority, '127.0.0.1'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new OpenIdIssuer(server, authority.cert);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push(request.url!);
    if (this.intercept(request, response)) return;
    const documents: Record<string, object> = {
      '/.well-known/openid-configuration': { issuer: this.url, jwks_uri: `${this.url}/keys` },
      '/keys': {
        keys: this.keys.map(({ id, publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), kid: id, use: 'sig' })),
      },
    };
    const document = documents[request.url!];
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  }
}

const curves: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

export function createKeyPair(id: string, algorithm = 'ES256'): IssuerKeyPair {
  const namedCurve = curves[algorithm];
  const pair =
    namedCurve !== undefined
      ? generateKeyPairSync('ec', { namedCurve })
      : algorithm === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { id, algorithm, ...pair };
}

/** Issues a token. The header may contain invalid values. */
export function issueToken(claims: object, pair: IssuerKeyPair, header: object = {}): string {
  const encoded = (segment: object) => Buffer.from(JSON.stringify(segment)).toString('base64url');
  const content = `${encoded({ alg: pair.algorithm, kid: pair.id, ...header })}.${encoded(claims)}`;
  return `${content}.${signatureOf(Buffer.from(content), pair).toString('base64url')}`;
}

function signatureOf(content: Buffer, { algorithm, privateKey: key }: IssuerKeyPair): Buffer {
  if (algorithm === 'EdDSA') return sign(null, content, key);
  const hash = `sha${algorithm.slice(2)}`;
  if (algorithm.startsWith('PS')) {
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    return sign(hash, content, { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST });
  }
  return sign(hash, content, { key, dsaEncoding: 'ieee-p1363' });
}
