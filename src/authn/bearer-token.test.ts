import { describe, expect, it } from 'vitest';
import type { UserInfo } from '../meta/user.ts';
import type { Credentials } from './authenticator.ts';
import { BearerTokenAuthenticator, isTokenProtocol } from './bearer-token.ts';
import { TokenChain } from './token-chain.ts';
import { TokenFile } from './token-file.ts';

const lines = 'tok-alice,alice,u-1,"dev,ops"\nschlüssel,bob,u-2\n';
const file = new TokenFile(lines);
const tokens = new TokenChain([file], { audiences: ['api'] });
const refusals: string[] = [];
const authenticator = new BearerTokenAuthenticator(tokens, { onRefused: (reason) => refusals.push(reason) });

function peer(): Credentials['connection'] {
  return {
    remoteAddress: '192.0.2.1',
    clientCertificate: undefined,
    clientCertificateTrusted: false,
    user: undefined,
    secure: true,
  };
}

interface Seen {
  readonly user?: string;
  readonly code?: number;
  readonly warnings?: string[];
  readonly refusals?: string[];
}

/** Omits fields that are undefined. */
function seen(headers: Record<string, string>, connection: Credentials['connection'] = peer()): Seen {
  const warnings: string[] = [];
  const credentials: Credentials = {
    connection,
    header: (name) => headers[name],
    rawHeaders: [],
    path: '/',
    warn: (text) => warnings.push(text),
    runAs: () => {},
  };
  let outcome: Seen = {};
  try {
    const user = authenticator.authenticate(credentials) as UserInfo | undefined;
    if (user !== undefined) outcome = { user: user.name };
  } catch (error) {
    outcome = { code: (error as { status: { code: number } }).status.code };
  }
  const reasons = refusals.splice(0);
  return { ...outcome, ...(warnings.length > 0 && { warnings }), ...(reasons.length > 0 && { refusals: reasons }) };
}

const refused = (reason: string): Seen => ({ code: 401, refusals: [reason] });
const unknown = refused('invalid bearer token');

describe('the bearer token of a header', () => {
  it.each<[header: string, expected: Seen]>([
    ['Bearer tok-alice', { user: 'alice' }],
    ['bearer tok-alice', { user: 'alice' }],
    ['BEARER tok-alice', { user: 'alice' }],
    [' Bearer tok-alice ', { user: 'alice' }],
    ['Bearer tok-alice and more', { user: 'alice' }],
    ['Bearer nope', unknown],
    ['Bearer tok-alic', unknown],
    ['Bearer TOK-ALICE', unknown],
    ['Bearer "tok-alice"', unknown],
    ['', {}],
    ['Bearer', {}],
    ['Bearer ', {}],
    ['Basic YTpi', {}],
    ['tok-alice', {}],
    ['Bearer\ttok-alice', {}],
    [
      'Bearer  tok-alice',
      {
        warnings: ['the provided Authorization header contains extra space before the bearer token, and is ignored'],
      },
    ],
  ])('%j', (authorization, expected) => {
    expect(seen({ authorization })).toEqual(expected);
  });

  it('may be absent', () => {
    expect(seen({})).toEqual({});
  });

  it('counts for each request of a connection', () => {
    const connection = peer();
    const send = (token: string): Seen => seen({ authorization: `Bearer ${token}` }, connection);
    expect(send('tok-alice')).toEqual({ user: 'alice' });
    expect(send('tok-alice')).toEqual({ user: 'alice' });
    expect(send('nope')).toEqual(unknown);
    expect(send('nope')).toEqual(unknown);
    expect(send('tok-alice')).toEqual({ user: 'alice' });
    expect(seen({}, connection)).toEqual({});
    file.replace('other,carol,u-3\n');
    tokens.clear();
    expect(send('tok-alice')).toEqual(unknown);
    file.replace(lines);
    tokens.clear();
    expect(send('tok-alice')).toEqual({ user: 'alice' });
  });

  it('adds system:authenticated to the groups', () => {
    expect(tokens.authenticate('tok-alice')).toMatchObject({
      user: { name: 'alice', uid: 'u-1', groups: ['dev', 'ops', 'system:authenticated'] },
    });
  });
});

describe('the bearer token of a WebSocket', () => {
  const protocol = (token: string): string =>
    `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`;

  it.each<[name: string, protocols: string, expected: Seen]>([
    ['first', `${protocol('tok-alice')}, v4.channel.k8s.io`, { user: 'alice' }],
    ['last', `v4.channel.k8s.io,${protocol('tok-alice')}`, { user: 'alice' }],
    ['of more than ASCII', `x, ${protocol('schlüssel')}`, { user: 'bob' }],
    ['unknown', `x, ${protocol('nope')}`, unknown],
    ['empty', `x, ${protocol('')}`, {}],
    ['none', 'x, y', {}],
    ['alone', protocol('tok-alice'), refused('missing additional subprotocol')],
    [
      'twice',
      `x, ${protocol('tok-alice')}, ${protocol('tok-alice')}`,
      refused('multiple base64.bearer.authorization tokens specified'),
    ],
    ['padded', `x, ${protocol('ab')}=`, refused('invalid base64.bearer.authorization token encoding')],
    ['cut off', `x, ${protocol('abc')}a`, refused('invalid base64.bearer.authorization token encoding')],
    ['of other letters', `x, ${protocol('ab')}+`, refused('invalid base64.bearer.authorization token encoding')],
    [
      'of no text',
      `x, base64url.bearer.authorization.k8s.io.${Buffer.of(0xff, 0xfe).toString('base64url')}`,
      refused('invalid base64.bearer.authorization token'),
    ],
  ])('%s', (_name, protocols, expected) => {
    expect(seen({ upgrade: 'WebSocket', 'sec-websocket-protocol': protocols })).toEqual(expected);
  });

  it('is used after that of the header, and only for an upgrade', () => {
    const protocols = `x, ${protocol('schlüssel')}`;
    const upgrade = { upgrade: 'websocket', 'sec-websocket-protocol': protocols };
    expect(seen({ ...upgrade, authorization: 'Bearer tok-alice' })).toEqual({ user: 'alice' });
    expect(seen({ 'sec-websocket-protocol': protocols })).toEqual({});
  });

  it('is recognized among the subprotocols', () => {
    expect([protocol('x'), 'v4.channel.k8s.io'].map(isTokenProtocol)).toEqual([true, false]);
  });
});
