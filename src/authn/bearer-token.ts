import { isUtf8 } from 'node:buffer';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import { unauthorized } from '../meta/status-error.ts';
import type { UserInfo } from '../meta/user.ts';
import type { Authenticator, Credentials } from './authenticator.ts';
import { tokenDigest } from './token-authenticator.ts';
import type { TokenChain, TokenOutcome } from './token-chain.ts';

const extraSpace = 'the provided Authorization header contains extra space before the bearer token, and is ignored';
/** Browsers cannot set headers on a WebSocket, so the token is sent as one of the subprotocols. */
const tokenProtocol = 'base64url.bearer.authorization.k8s.io.';
const unpaddedBase64Url = /^[\w-]*$/;

export interface BearerTokenOptions {
  /**
   * Called with the reason for the log when a token is refused. The client only gets a 401. Never contains the token.
   */
  readonly onRefused?: (reason: string, credentials: Credentials) => void;
}

/** A token with its digest, from this value of the header. */
interface PresentedToken {
  readonly header: string;
  readonly token: string;
  readonly digest: string;
}

/** Authenticates the bearer token of a request. An invalid token is refused and never treated as absent. */
export class BearerTokenAuthenticator implements Authenticator {
  readonly #tokens: TokenChain;
  readonly #options: BearerTokenOptions;
  /** The last token of each connection. Clients repeat it, and the digest costs a twentieth of a small read. */
  readonly #presented = new WeakMap<Credentials['connection'], PresentedToken>();

  constructor(tokens: TokenChain, options: BearerTokenOptions = {}) {
    this.#tokens = tokens;
    this.#options = options;
  }

  authenticate(credentials: Credentials): MaybePromise<UserInfo | undefined> {
    const presented = this.#headerToken(credentials);
    const token = presented?.token ?? this.#protocolToken(credentials);
    if (token === undefined) return undefined;
    const outcome = this.#tokens.authenticate(token, [], presented?.digest);
    // The synchronous path creates no closure.
    if (outcome instanceof Promise) return outcome.then((found) => this.#userOf(found, credentials));
    return this.#userOf(outcome, credentials);
  }

  #userOf(outcome: TokenOutcome, credentials: Credentials): UserInfo {
    return 'user' in outcome ? outcome.user : this.#refuse(outcome.error, credentials);
  }

  #headerToken(credentials: Credentials): PresentedToken | undefined {
    const header = credentials.header('authorization');
    if (header === undefined) return undefined;
    const last = this.#presented.get(credentials.connection);
    if (last?.header === header) return last;
    const token = tokenOf(header, credentials);
    if (token === undefined) return undefined;
    const presented = { header, token, digest: tokenDigest(token) };
    this.#presented.set(credentials.connection, presented);
    return presented;
  }

  #protocolToken(credentials: Credentials): string | undefined {
    if (credentials.header('upgrade')?.toLowerCase() !== 'websocket') return undefined;
    const offered = credentials.header('sec-websocket-protocol')?.split(',') ?? [];
    const protocols = offered.map((protocol) => protocol.trim());
    const tokens = protocols.filter((protocol) => protocol.startsWith(tokenProtocol));
    if (tokens.length === 0) return undefined;
    if (tokens.length > 1) return this.#refuse('multiple base64.bearer.authorization tokens specified', credentials);
    // The response names one of the subprotocols, and that must not be the token.
    if (tokens.length === protocols.length) return this.#refuse('missing additional subprotocol', credentials);
    const encoded = tokens[0]!.slice(tokenProtocol.length);
    const bytes = Buffer.from(encoded, 'base64url');
    if (!unpaddedBase64Url.test(encoded) || encoded.length % 4 === 1) {
      return this.#refuse('invalid base64.bearer.authorization token encoding', credentials);
    }
    if (!isUtf8(bytes)) return this.#refuse('invalid base64.bearer.authorization token', credentials);
    return bytes.length === 0 ? undefined : bytes.toString();
  }

  #refuse(reason: string, credentials: Credentials): never {
    this.#options.onRefused?.(reason, credentials);
    throw unauthorized();
  }
}

/** Whether a WebSocket subprotocol carries a token. Such a subprotocol must not appear in the response. */
export function isTokenProtocol(protocol: string): boolean {
  return protocol.startsWith(tokenProtocol);
}

/** Returns undefined for another scheme, and when exactly one space and a token do not follow the scheme. */
function tokenOf(header: string, { warn }: Credentials): string | undefined {
  const [scheme, token, rest] = header.trim().split(' ', 3);
  if (token === undefined || scheme!.toLowerCase() !== 'bearer') return undefined;
  if (token !== '') return token;
  if (rest !== undefined) warn(extraSpace);
  return undefined;
}
