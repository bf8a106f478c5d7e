import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newestKubectls } from '../../scripts/test-clients/kubectl.ts';
import { isClockFast } from '../clock/is-clock-fast.ts';
import { type CertificateRequestOptions, newCertificateRequest } from './certificate-request.ts';
import { admin, KubectlUsers } from './kubectl-users.ts';

const kubectls = newestKubectls();
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const apiGroups = ['certificates.k8s.io'];
const resources = ['certificatesigningrequests'];
/** Without validation, which would make the server create its OpenAPI documents. */
const unvalidated = '--validate=false -f';
const forbidden = 'Error from server (Forbidden): certificatesigningrequests.certificates.k8s.io';

describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  let users: KubectlUsers;
  beforeAll(async () => {
    const controllers = ['csrsigning', 'csrapproving', 'csrcleaner'];
    users = await KubectlUsers.start(kubectl, { controllers });
  });
  afterAll(() => users.stop());

  const use = (args: string): Promise<string> => users.out(admin, args);

  /** Creates a file with a CertificateSigningRequest. Returns its path and the private key. */
  async function newRequest(name: string, options: CertificateRequestOptions, usages = ['client auth']) {
    const { request, key } = await newCertificateRequest(options);
    const spec = { request, signerName: 'kubernetes.io/kube-apiserver-client', usages, expirationSeconds: 3600 };
    const kinds = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest' };
    return { file: users.file(name, { ...kinds, metadata: { name }, spec }), key };
  }

  /** Creates a CertificateSigningRequest and returns its private key. */
  async function requestCertificate(
    name: string,
    options: CertificateRequestOptions,
    usages?: string[],
  ): Promise<string> {
    const { file, key } = await newRequest(name, options, usages);
    expect(await use(`create ${unvalidated} ${file}`)).toBe(
      `certificatesigningrequest.certificates.k8s.io/${name} created\n`,
    );
    return key;
  }

  const condition = async (name: string): Promise<string> =>
    (await use(`get csr ${name} --no-headers`)).trim().split(/\s+/).at(-1)!;

  /** Waits for `status.certificate` and returns it. */
  const issued = (name: string): Promise<string> =>
    vi.waitFor(async () => {
      const { status } = (await users.api.get(`${requests}/${name}`)).body;
      expect(status).toHaveProperty('certificate');
      return status.certificate;
    });

  // kubectl uses the real clock.
  it.skipIf(isClockFast)('approves a request, and the certificate authenticates its user', async () => {
    const key = await requestCertificate('joe', { subject: [{ O: ['dev'] }, { O: ['ops'] }, { CN: ['joe'] }] });
    expect(await condition('joe')).toBe('Pending');
    expect(await use('certificate approve joe')).toBe('certificatesigningrequest.certificates.k8s.io/joe approved\n');
    const certificate = await issued('joe');
    expect(await condition('joe')).toBe('Approved,Issued');
    const { validFrom, validTo, fingerprint256 } = new X509Certificate(Buffer.from(certificate, 'base64'));
    expect(Date.parse(validTo) - Date.parse(validFrom)).toBe(3600_000 + 5 * 60_000);
    users.addUser('joe', {
      'client-certificate-data': certificate,
      'client-key-data': Buffer.from(key).toString('base64'),
    });
    expect(await users.identity('joe')).toEqual({
      username: 'joe',
      groups: ['dev', 'ops', 'system:authenticated'],
      extra: {
        'authentication.kubernetes.io/credential-id': [
          `X509SHA256=${fingerprint256.replaceAll(':', '').toLowerCase()}`,
        ],
      },
    });
    expect(await users.refusal('joe', 'get configmaps')).toContain('User "joe" cannot list resource "configmaps"');
    await users.outAll(
      admin,
      'create clusterrole lister --verb=list --resource=configmaps',
      'create clusterrolebinding listers --clusterrole=lister --group=ops',
    );
    expect(await users.out('joe', 'get configmaps -n kube-public -o name')).toBe('');
  });

  it('denies a request', async () => {
    await requestCertificate('ann', { subject: [{ CN: ['ann'] }] });
    expect(await use('certificate deny ann')).toBe('certificatesigningrequest.certificates.k8s.io/ann denied\n');
    expect(await condition('ann')).toBe('Denied');
    await expect(use('certificate approve ann')).rejects.toThrow('Denied');
  });

  it('needs permissions to create, approve and deny requests', async () => {
    const { file } = await newRequest('kim', { subject: [{ CN: ['kim'] }] });
    expect(await users.refusal('jane', `create ${unvalidated} ${file}`)).toContain(
      'is forbidden: User "jane" cannot create resource "certificatesigningrequests" in API group "certificates.k8s.io"',
    );
    await users.grant('jane', 'asker', { apiGroups, resources, verbs: ['create'] });
    await users.out('jane', `create ${unvalidated} ${file}`);
    const { spec } = (await users.api.get(`${requests}/kim`)).body;
    expect(spec).toMatchObject({ username: 'jane', uid: '7', groups: ['dev', 'ops', 'system:authenticated'] });

    expect(await users.refusal('bob', 'certificate approve kim')).toBe(
      `${forbidden} "kim" is forbidden: User "bob" cannot get resource "certificatesigningrequests" ` +
        'in API group "certificates.k8s.io" at the cluster scope',
    );
    await users.grant('bob', 'looker', { apiGroups, resources, verbs: ['get'] });
    expect(await users.refusal('bob', 'certificate approve kim')).toBe(
      `${forbidden} "kim" is forbidden: User "bob" cannot update resource "certificatesigningrequests/approval" ` +
        'in API group "certificates.k8s.io" at the cluster scope',
    );
    await users.grant('bob', 'judge', { apiGroups, resources: [`${resources}/approval`], verbs: ['update'] });
    for (const verdict of ['approve', 'deny']) {
      expect(await users.refusal('bob', `certificate ${verdict} kim`)).toBe(
        `${forbidden} "kim" is forbidden: user not permitted to approve requests with signerName ` +
          '"kubernetes.io/kube-apiserver-client"',
      );
    }
    expect(await condition('kim')).toBe('Pending');
    const name = 'system:certificates.k8s.io:kube-apiserver-client-approver';
    await users.bind('bob', { kind: 'ClusterRole', name });
    expect(await users.out('bob', 'certificate approve kim')).toContain('kim approved');
  });

  it('learns why an approved request got no certificate', async () => {
    await requestCertificate('web', { subject: [{ CN: ['web'] }] }, ['server auth']);
    await use('certificate approve web');
    const failed = { type: 'Failed', message: 'invalid usage for client certificate: server auth' };
    await vi.waitFor(async () => {
      const { conditions } = (await users.api.get(`${requests}/web`)).body.status;
      expect(conditions).toContainEqual(expect.objectContaining(failed));
    });
    expect(await condition('web')).toBe('Approved,Failed');
  });

  it('gets no certificate for the group system:masters', async () => {
    const { file } = await newRequest('root', { subject: [{ O: ['system:masters'] }, { CN: ['root'] }] });
    expect(await users.refusal(admin, `create ${unvalidated} ${file}`)).toContain(
      'system:masters group is not allowed',
    );
  });
});
