import { X509Certificate } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type CertificateRequestOptions, newCertificateRequest } from '../../../test/clients/certificate-request.ts';
import { Client } from '../../client/index.ts';
import { systemClock } from '../../meta/clock.ts';
import { CertificateAuthority } from '../../pki/certificate-authority.ts';
import { RequestSigner, requestedIdentity } from '../../pki/index.ts';
import { startServer } from '../../server/index.ts';
import type { Controller } from '../controller.ts';
import { runControllers } from '../controller-manager.ts';
import { approvingController } from './approving-controller.ts';
import type { CertificateIssuer } from './certificate-issuer.ts';
import { cleanerController } from './cleaner-controller.ts';
import { certificateControllers } from './index.ts';
import { clientSigner, kubeletClientSigner, standardSigners } from './signer-rules.ts';
import { signingController } from './signing-controller.ts';
import { type SigningRequest, signingRequests } from './signing-request.ts';

const { pair } = CertificateAuthority.create(new Date());
const issuer = new RequestSigner({ pair });
const issuers = Object.fromEntries(standardSigners.map((name) => [name, issuer]));
const kubeletUsages = ['digital signature', 'key encipherment', 'client auth'];
const node: CertificateRequestOptions = { subject: [{ O: ['system:nodes'] }, { CN: ['system:node:n1'] }] };

async function startedClient(): Promise<Client> {
  const server = await startServer({ storage: 'memory', controllers: [] });
  onTestFinished(() => server.stop());
  return server.client;
}

function run(client: Client, controllers: Controller[], clock = systemClock): string[] {
  const stop = new AbortController();
  const errors: string[] = [];
  const report = ({ message }: Error, name: string) => void errors.push(`${name}: ${message}`);
  const done = runControllers({ client, controllers, identity: 'one', version: '1', report, clock }, stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await done;
  });
  return errors;
}

interface Wanted extends Partial<CertificateRequestOptions> {
  readonly signerName?: string;
  readonly usages?: readonly string[];
}

async function create(client: Client, name: string, wanted: Wanted = {}): Promise<SigningRequest> {
  const { signerName = clientSigner, usages = ['client auth'], subject = [{ CN: [name] }], ...rest } = wanted;
  const { request } = await newCertificateRequest({ subject, ...rest });
  const spec = { request, signerName, usages, expirationSeconds: 3600 };
  return client.resource<SigningRequest>(signingRequests).create({ metadata: { name }, spec });
}

function decide(client: Client, request: SigningRequest, type: 'Approved' | 'Denied'): Promise<SigningRequest> {
  const status = { conditions: [{ type, status: 'True', reason: 'r', message: 'm' }] };
  return client.resource<SigningRequest>(signingRequests).update({ ...request, status }, { subresource: 'approval' });
}

const read = (client: Client, name: string) => client.resource<SigningRequest>(signingRequests).get(name);
const certificateOf = ({ status }: SigningRequest) =>
  status?.certificate === undefined ? undefined : new X509Certificate(Buffer.from(status.certificate, 'base64'));

describe('the signing controller', () => {
  it('issues certificates for approved requests', async () => {
    const client = await startedClient();
    const errors = run(client, [signingController(issuers, requestedIdentity)]);
    const names = ['denied', 'waiting', 'joe'];
    for (const name of names) await create(client, name);
    const foreign = await create(client, 'foreign', { signerName: 'example.com/other' });
    await decide(client, foreign, 'Approved');
    await decide(client, await read(client, 'denied'), 'Denied');
    await decide(client, await read(client, 'joe'), 'Approved');
    const certificate = await vi.waitFor(async () => {
      const found = certificateOf(await read(client, 'joe'));
      expect(found).toBeDefined();
      return found!;
    });
    expect(certificate.subject).toBe('CN=joe');
    expect(certificate.verify(new X509Certificate(pair.cert).publicKey)).toBe(true);
    expect(Date.parse(certificate.validTo) - Date.now()).toBeLessThan(3600_000 + 1);
    for (const name of ['denied', 'waiting', 'foreign']) {
      expect((await read(client, name)).status, name).not.toHaveProperty('certificate');
    }
    expect(errors).toEqual([]);
  });

  it('sets the condition Failed for requests against the rules', async () => {
    const client = await startedClient();
    const errors = run(client, [signingController(issuers, requestedIdentity)]);
    await decide(client, await create(client, 'joe', { usages: ['server auth'] }), 'Approved');
    const { status } = await vi.waitFor(async () => {
      const found = await read(client, 'joe');
      expect(found.status?.conditions).toHaveLength(2);
      return found;
    });
    expect(status).not.toHaveProperty('certificate');
    expect(status?.conditions?.[1]).toEqual({
      type: 'Failed',
      status: 'True',
      reason: 'SignerValidationFailure',
      message: 'invalid usage for client certificate: server auth',
      lastUpdateTime: expect.any(String),
      lastTransitionTime: expect.any(String),
    });
    expect(errors).toEqual([]);
  });

  it('sets the condition Failed for unreadable requests', async () => {
    const client = await startedClient();
    const unreadable = () => {
      throw new Error('odd');
    };
    run(client, [signingController(issuers, unreadable)]);
    await decide(client, await create(client, 'joe'), 'Approved');
    await vi.waitFor(async () => {
      const { status } = await read(client, 'joe');
      expect(status?.conditions?.[1]?.message).toBe('unable to parse csr: odd');
    });
  });

  it('refuses signers without rules', () => {
    expect(() => signingController({ 'example.com/own': issuer }, requestedIdentity)).toThrow(
      new RangeError('unrecognized signerName: "example.com/own"'),
    );
  });

  it('retries when signing fails', async () => {
    const client = await startedClient();
    const failures = [new Error('not now'), new Error('still not')];
    const flaky: CertificateIssuer = {
      sign(request) {
        const failure = failures.shift();
        return failure === undefined ? issuer.sign(request) : Promise.reject(failure);
      },
    };
    const errors = run(client, [signingController({ [clientSigner]: flaky }, requestedIdentity)]);
    await decide(client, await create(client, 'joe'), 'Approved');
    await vi.waitFor(async () => expect(certificateOf(await read(client, 'joe'))).toBeDefined());
    const name = 'certificatesigningrequest-signing-controller';
    expect(errors).toEqual([`${name}: not now`, `${name}: still not`]);
  });
});

describe('the approving controller', () => {
  /** A client that answers access reviews itself, by subresource and number of attempts. */
  function reviewed(client: Client, decisions: Record<string, boolean[]>) {
    const reviewSpecs: Record<string, unknown>[] = [];
    const wrapped = new Client((request) => {
      if (!request.path.endsWith('/subjectaccessreviews')) return client.fetch(request);
      const { spec } = JSON.parse(String(request.body ?? '{}'));
      reviewSpecs.push(spec);
      const allowed = decisions[spec.resourceAttributes.subresource]?.shift() ?? false;
      const body = Buffer.from(JSON.stringify({ metadata: {}, spec, status: { allowed } }));
      return Promise.resolve({
        status: 201,
        headers: {},
        body: (async function* () {
          yield body;
        })(),
      });
    });
    return { client: wrapped, reviewSpecs };
  }

  it('approves requests of authorized nodes, and retries the others', async () => {
    const server = await startedClient();
    const { client, reviewSpecs } = reviewed(server, { nodeclient: [false, false, true] });
    const errors = run(client, [approvingController(requestedIdentity)]);
    const { spec } = await create(client, 'n1', { ...node, signerName: kubeletClientSigner, usages: kubeletUsages });
    const { status } = await vi.waitFor(async () => {
      const found = await read(client, 'n1');
      expect(found.status?.conditions).toHaveLength(1);
      return found;
    });
    expect(status?.conditions?.[0]).toMatchObject({
      type: 'Approved',
      status: 'True',
      reason: 'AutoApproved',
      message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
    });
    expect(reviewSpecs).toHaveLength(3);
    const { username: user, groups, uid, extra } = spec;
    expect(reviewSpecs[0]).toEqual(
      JSON.parse(
        JSON.stringify({
          user,
          uid,
          groups,
          extra,
          resourceAttributes: {
            group: 'certificates.k8s.io',
            resource: 'certificatesigningrequests',
            verb: 'create',
            subresource: 'nodeclient',
          },
        }),
      ),
    );
    expect(errors).toEqual([]);
  });

  it('ignores all other requests', async () => {
    const server = await startedClient();
    const { client, reviewSpecs } = reviewed(server, { nodeclient: [true, true, true, true] });
    const own = { signerName: kubeletClientSigner, usages: kubeletUsages };
    await create(client, 'client', { ...node, usages: kubeletUsages, signerName: clientSigner });
    await create(client, 'no-node', { ...own, subject: [{ CN: ['joe'] }] });
    await create(client, 'named', { ...node, ...own, names: [{ type: 'dns', value: 'n1.example' }] });
    await decide(client, await create(client, 'denied', { ...node, ...own }), 'Denied');
    run(client, [approvingController(requestedIdentity)]);
    // The last request is approved, so the others have been processed.
    await create(client, 'z', { ...node, ...own });
    await vi.waitFor(async () => expect((await read(client, 'z')).status?.conditions).toHaveLength(1));
    expect(reviewSpecs).toHaveLength(1);
    for (const name of ['client', 'no-node', 'named']) {
      expect((await read(client, name)).status, name).not.toHaveProperty('conditions');
    }
  });

  async function* madeByNode(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of body) {
      const text = Buffer.from(piece).toString();
      const anonymous = text.replace(/,"username":"[^"]*"/g, '');
      yield Buffer.from(anonymous.replace(/"signerName":/g, '"username":"system:node:n1","signerName":'));
    }
  }

  it('recognizes a request for the own certificate', async () => {
    const server = await startedClient();
    const { client, reviewSpecs } = reviewed(server, { selfnodeclient: [true] });
    // A client that shows every request as made by the node itself.
    const posing = new Client(async (request) => {
      const response = await client.fetch({ ...request, takesEvents: false });
      return request.path.includes('watch=true') ? { ...response, body: madeByNode(response.body) } : response;
    });
    await create(client, 'n1', { ...node, signerName: kubeletClientSigner, usages: kubeletUsages });
    run(posing, [approvingController(requestedIdentity)]);
    await vi.waitFor(async () => {
      const { status } = await read(client, 'n1');
      expect(status?.conditions?.[0]?.message).toBe(
        'Auto approving self kubelet client certificate after SubjectAccessReview.',
      );
    });
    expect(reviewSpecs).toMatchObject([{ resourceAttributes: { subresource: 'selfnodeclient' } }]);
  });
});

it('old requests are deleted, also when they expire later', async () => {
  const client = await startedClient();
  let now = Date.now() + 23 * 3600_000;
  await create(client, 'waiting');
  await decide(client, await create(client, 'denied'), 'Denied');
  await decide(client, await create(client, 'approved'), 'Approved');
  run(client, [cleanerController()], { ...systemClock, now: () => now });
  const names = async () =>
    (await client.resource(signingRequests).list()).items.map(({ metadata }) => metadata.name).sort();
  await vi.waitFor(async () => expect(await names()).toEqual(['approved', 'waiting']));
  now += 2 * 3600_000;
  // An update enqueues the request again.
  await client.resource(signingRequests).patch('waiting', { metadata: { labels: { a: 'b' } } });
  await vi.waitFor(async () => expect(await names()).toEqual(['approved']));
});

it('there are three controllers, with their older names as aliases', () => {
  const made = certificateControllers({ readIdentity: requestedIdentity, issuers });
  expect(made.map(({ name, aliases }) => [name, aliases])).toEqual([
    ['certificatesigningrequest-signing-controller', ['csrsigning']],
    ['certificatesigningrequest-approving-controller', ['csrapproving']],
    ['certificatesigningrequest-cleaner-controller', ['csrcleaner']],
  ]);
});
