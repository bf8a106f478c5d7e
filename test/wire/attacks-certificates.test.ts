import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type ClientHttp2Session, connect } from 'node:http2';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isClockFast } from '../clock/is-clock-fast.ts';
import { TestApi } from './api.ts';
import { createAuthority, issueClient, issueUnusual, type KeyPair, type UnusualCertificate } from './certificates.ts';

const usage = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2', any: '2.5.29.37.0' };
const masters = { user: 'jane', groups: ['system:masters'] };
const hour = 3_600_000;
const later = (milliseconds: number): Date => new Date(Date.now() + milliseconds);

let api: TestApi;
let directory: string;
let clientCaFile: string;
let authority: KeyPair;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-certificates-'));
  clientCaFile = join(directory, 'clients.crt');
  authority = await createAuthority('clients');
  await writeFile(clientCaFile, authority.cert);
  // Anonymous requests are allowed, but clients with an invalid certificate must not become anonymous.
  api = await TestApi.start({ clientCaFile, anonymousAuth: true });
});
afterAll(async () => {
  await api.stop();
  await rm(directory, { recursive: true, force: true });
});

/** All clients may read this path, except those with an invalid certificate. */
const path = '/version';

function agentFor({ cert, key }: KeyPair): Agent {
  const agent = new Agent({ ca: api.tls.ca, cert, key, keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return agent;
}

function statusFor(agent: Agent, requestPath = path): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(requestPath, api.server.url), { agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode!));
    });
    sent.on('error', reject);
    sent.end();
  });
}

const together = (first: KeyPair, ...issuers: KeyPair[]): KeyPair => ({
  cert: [first, ...issuers].map(({ cert }) => cert).join('\n'),
  key: first.key,
});

describe('a certificate', () => {
  it.each<[string, UnusualCertificate, number]>([
    ['as usual', masters, 200],
    ['that has expired', { ...masters, notBefore: later(-2 * hour), notAfter: later(-hour) }, 401],
    ['that is not yet valid', { ...masters, notBefore: later(hour), notAfter: later(2 * hour) }, 401],
    ['for servers only', { ...masters, usages: [usage.server] }, 401],
    ['for signing code', { ...masters, usages: ['1.3.6.1.5.5.7.3.3'] }, 401],
    ['for clients', { ...masters, usages: [usage.client] }, 200],
    ['for servers and clients', { ...masters, usages: [usage.server, usage.client] }, 200],
  ])('%s', async (_what, certificate, expected) => {
    expect(await statusFor(agentFor(await issueUnusual(authority, certificate)))).toBe(expected);
  });

  it('is refused if another CA of the same name issued it, also when it brings that CA', async () => {
    const other = await createAuthority('clients');
    const pair = await issueClient(other, 'jane', masters.groups);
    expect(await statusFor(agentFor(pair))).toBe(401);
    expect(await statusFor(agentFor(together(pair, other)))).toBe(401);
    expect(await statusFor(agentFor(together(pair, authority)))).toBe(401);
  });

  it('is refused over HTTP/2 if another CA of the same name issued it', async () => {
    const pair = await issueClient(await createAuthority('clients'), 'jane', masters.groups);
    const session = connect(api.server.url, { ca: api.tls.ca, ...pair });
    onTestFinished(() => session.close());
    const stream = session.request({ ':path': path });
    stream.resume();
    const [headers] = await once(stream, 'response');
    expect(headers[':status']).toBe(401);
  });

  // OpenSSL uses the real clock.
  it.skipIf(isClockFast)('is rejected on an open connection when it expires', async () => {
    // On a busy machine, the certificate may expire before the first request.
    const shown = async (lifetime: number): Promise<Agent> => {
      const agent = agentFor(await issueUnusual(authority, { ...masters, notAfter: later(lifetime) }));
      return (await statusFor(agent)) === 200 ? agent : shown(lifetime * 2);
    };
    const agent = await shown(1_500);
    await vi.waitFor(async () => expect(await statusFor(agent)).toBe(401), { interval: 100 });
  });

  it('is valid from an intermediate CA when the client sends that CA', async () => {
    const middle = await issueUnusual(authority, { user: 'middle', isAuthority: true });
    const pair = await issueClient(middle, 'jane', masters.groups);
    expect(await statusFor(agentFor(together(pair, middle)), '/api/v1/nodes')).toBe(200);
    expect(await statusFor(agentFor(pair))).toBe(401);
  });

  it.each<[string, UnusualCertificate]>([
    [
      'an intermediate CA that has expired',
      { user: 'x', isAuthority: true, notBefore: later(-2 * hour), notAfter: later(-hour) },
    ],
    ['an intermediate CA for servers', { user: 'x', isAuthority: true, usages: [usage.server] }],
    ['somebody who is no CA', { user: 'jane' }],
    ['somebody who is said to be no CA', { user: 'jane', isAuthority: false }],
  ])('is refused: %s', async (_what, issuer) => {
    const middle = await issueUnusual(authority, issuer);
    const pair = await issueClient(middle, 'jane', masters.groups);
    expect(await statusFor(agentFor(together(pair, middle)))).toBe(401);
  });

  it('is the same one when it comes back with a resumed session', async () => {
    const middle = await issueUnusual(authority, { user: 'middle', isAuthority: true });
    for (const pair of [
      await issueClient(authority, 'jane', masters.groups),
      together(await issueClient(middle, 'jane', masters.groups), middle),
    ]) {
      const agent = new Agent({ ca: api.tls.ca, cert: pair.cert, key: pair.key, keepAlive: false });
      for (let round = 0; round < 3; round++) expect(await statusFor(agent, '/api/v1/nodes')).toBe(200);
    }
  });
});

describe('when the file of the CAs changes', () => {
  const open = async (pair: KeyPair): Promise<ClientHttp2Session> => {
    const session = connect(api.server.url, { ca: api.tls.ca, cert: pair.cert, key: pair.key });
    session.on('error', () => {});
    onTestFinished(() => session.destroy());
    await once(session, 'connect');
    return session;
  };
  const statusIn = async (session: ClientHttp2Session): Promise<number> => {
    const stream = session.request({ ':path': path });
    const [head] = await once(stream, 'response');
    await stream.resume().toArray();
    return head[':status'];
  };
  const until = (check: () => Promise<number>, expected: number): Promise<void> =>
    vi.waitFor(async () => expect(await check()).toBe(expected), { interval: 50 });

  it('the old ones are rejected, even on open connections, and the new ones are accepted', async () => {
    const next = await createAuthority('clients of next year');
    const [old, fresh] = [await issueClient(authority, 'jane'), await issueClient(next, 'jane')];
    const [session, agent] = [await open(old), agentFor(old)];
    expect([await statusIn(session), await statusFor(agent), await statusFor(agentFor(fresh))]).toEqual([
      200, 200, 401,
    ]);

    await writeFile(clientCaFile, next.cert);
    await until(() => statusIn(session), 401);
    expect([await statusFor(agent), await statusFor(agentFor(old)), await statusFor(agentFor(fresh))]).toEqual([
      401, 401, 200,
    ]);
    // The administrator's certificate is signed by the server's own CA.
    expect((await api.get('/api/v1/nodes')).status).toBe(200);

    // An invalid file changes nothing.
    await writeFile(clientCaFile, 'no certificate\n');
    await writeFile(clientCaFile, `${authority.cert}\n${next.cert}`);
    await until(() => statusFor(agentFor(old)), 200);
    // The rejected request has closed the previous session.
    expect([await statusIn(await open(old)), await statusFor(agentFor(fresh))]).toEqual([200, 200]);
  });
});
