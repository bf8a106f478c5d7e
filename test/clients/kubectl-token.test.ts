import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newestKubectls } from '../../scripts/test-clients/kubectl.ts';
import { admin, KubectlUsers } from './kubectl-users.ts';

const kubectls = newestKubectls();
const namespace = '/api/v1/namespaces/default';
const accounts = `${namespace}/serviceaccounts`;
const unauthorized = 'error: You must be logged in to the server (Unauthorized)';

describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  let users: KubectlUsers;
  let isOld: boolean;
  beforeAll(async () => {
    users = await KubectlUsers.start(kubectl, { controllers: ['serviceaccount', 'serviceaccount-token'] });
    isOld = await users.isOld();
    // A user without other credentials than a token on the command line.
    users.addUser('bare', {});
  });
  afterAll(() => users.stop());

  /** Creates a token with `create token`, or with a request if this version of kubectl lacks the command. */
  async function newToken(account: string): Promise<string> {
    if (!isOld) return (await users.out(admin, `create token ${account}`)).trim();
    const request = users.file('token', { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} });
    const path = `/api/v1/namespaces/default/serviceaccounts/${account}/token`;
    return JSON.parse(await users.out(admin, `create --raw ${path} -f ${request}`)).status.token;
  }

  it('acts as a service account until it is deleted', async () => {
    expect(await users.out(admin, 'create serviceaccount robot')).toBe('serviceaccount/robot created\n');
    const token = await newToken('robot');
    const { uid } = (await users.api.get(`${accounts}/robot`)).body.metadata;
    expect(await users.identity('bare', ` --token=${token}`)).toMatchObject({
      username: 'system:serviceaccount:default:robot',
      uid,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
    });
    users.addUser('robot', { token });
    expect(await users.refusal('robot', 'get configmaps')).toBe(
      'Error from server (Forbidden): configmaps is forbidden: User "system:serviceaccount:default:robot" ' +
        'cannot list resource "configmaps" in API group "" in the namespace "default"',
    );
    await users.outAll(
      admin,
      'create clusterrole readers --verb=list --resource=configmaps',
      'create rolebinding robots --clusterrole=readers --serviceaccount=default:robot',
    );
    expect(await users.out('robot', 'get configmaps -o name')).not.toContain('rror');
    await users.out(admin, 'delete serviceaccount robot');
    expect(await users.refusal('robot', 'get configmaps')).toBe(unauthorized);
    // A new account with the same name is a different account.
    await users.api.post(accounts, { metadata: { name: 'robot' } });
    expect(await users.refusal('robot', 'get configmaps')).toBe(unauthorized);
    users.addUser('robot', { token: await newToken('robot') });
    expect(await users.out('robot', 'auth can-i list configmaps')).toBe('yes\n');
  });

  it('gets a token without an expiry from a secret', async () => {
    await users.api.post(accounts, { metadata: { name: 'old' } });
    const annotations = { 'kubernetes.io/service-account.name': 'old' };
    const type = 'kubernetes.io/service-account-token';
    await users.api.post(`${namespace}/secrets`, { type, metadata: { name: 'old', annotations } });
    const token = await vi.waitFor(async () => {
      const { data } = (await users.api.get(`${namespace}/secrets/old`)).body;
      expect(data).toHaveProperty('token');
      return Buffer.from(data.token, 'base64').toString();
    });
    expect(claims(token)).not.toHaveProperty('exp');
    users.addUser('old', { token });
    expect(await users.identity('old')).toMatchObject({ username: 'system:serviceaccount:default:old' });
    await users.api.delete(`${namespace}/secrets/old`);
    expect(await users.refusal('old', 'get --raw /version')).toBe(unauthorized);
  });

  describe('create token', () => {
    beforeAll(() => users.api.store(accounts, { metadata: { name: 'agent' } }));
    const refused = async (args: string, text: string): Promise<void> =>
      expect(await users.refusal(admin, `create token ${args}`)).toBe(`error: ${text}`);

    it('creates a token with a duration', async ({ skip }) => {
      if (isOld) skip('kubectl 1.20 has no command for tokens');
      const { exp, iat } = claims(await users.out(admin, 'create token agent --duration=20m'));
      expect(exp - iat).toBe(20 * 60);
      const request = JSON.parse(await users.out(admin, 'create token agent --duration=2h -o json'));
      expect(request).toMatchObject({ kind: 'TokenRequest', spec: { expirationSeconds: 7200 } });
      expect(Date.parse(request.status.expirationTimestamp) / 1000).toBe(claims(request.status.token).exp);
      await refused(
        'agent --duration=5m',
        'failed to create token: TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: ' +
          'Invalid value: 300: may not specify a duration less than 10 minutes',
      );
    });

    it('creates a token for another audience', async ({ skip }) => {
      if (isOld) skip('kubectl 1.20 has no command for tokens');
      const token = (await users.out(admin, 'create token agent --audience=vault --audience=mail')).trim();
      expect(claims(token).aud).toEqual(['vault', 'mail']);
      expect(await users.refusal('bare', `get --raw /version --token=${token}`)).toBe(unauthorized);
      const review = await users.api.post('/apis/authentication.k8s.io/v1/tokenreviews', {
        spec: { token, audiences: ['vault'] },
      });
      expect(review.body.status).toMatchObject({
        authenticated: true,
        audiences: ['vault'],
        user: { username: 'system:serviceaccount:default:agent' },
      });
    });

    it('creates a token that is bound to a pod', async ({ skip }) => {
      if (isOld) skip('kubectl 1.20 has no command for tokens');
      const pods = `${namespace}/pods`;
      for (const [name, serviceAccountName] of Object.entries({ runner: 'agent', other: 'default' })) {
        const spec = { serviceAccountName, containers: [{ name: 'c', image: 'example.com/c:1' }] };
        await users.api.store(pods, { metadata: { name }, spec });
      }
      const bound = 'agent --bound-object-kind=Pod --bound-object-name';
      users.addUser('runner', { token: (await users.out(admin, `create token ${bound}=runner`)).trim() });
      expect(await users.identity('runner')).toMatchObject({
        username: 'system:serviceaccount:default:agent',
        extra: {
          'authentication.kubernetes.io/pod-name': ['runner'],
          'authentication.kubernetes.io/pod-uid': [(await users.api.get(`${pods}/runner`)).body.metadata.uid],
        },
      });
      await refused(
        `${bound}=runner --bound-object-uid=1`,
        'failed to create token: Operation cannot be fulfilled on Pod "runner": the UID in the bound object reference (1) ' +
          'does not match the UID in record. The object might have been deleted and then recreated',
      );
      expect((await users.api.delete(`${pods}/runner`)).status).toBe(200);
      expect(await users.refusal('runner', 'get --raw /version')).toBe(unauthorized);
      await refused(`${bound}=runner`, 'failed to create token: pods "runner" not found');
      await refused(
        `${bound}=other`,
        'failed to create token: cannot bind token for serviceaccount "agent" to pod running with different serviceaccount name.',
      );
    });

    it('creates no token without permission', async ({ skip }) => {
      if (isOld) skip('kubectl 1.20 has no command for tokens');
      const forbidden =
        'error: failed to create token: serviceaccounts "agent" is forbidden: User "jane" cannot create resource ' +
        '"serviceaccounts/token" in API group "" in the namespace "default"';
      expect(await users.refusal('jane', 'create token agent')).toBe(forbidden);
      const resources = ['serviceaccounts/token'];
      await users.grant('jane', 'default/lender', { resources, resourceNames: ['agent'], verbs: ['create'] });
      expect(claims(await users.out('jane', 'create token agent')).sub).toBe('system:serviceaccount:default:agent');
      expect(await users.refusal('jane', 'create token default')).toBe(forbidden.replace('"agent"', '"default"'));
      await refused('nobody', 'failed to create token: serviceaccounts "nobody" not found');
    });
  });
});

interface Claims {
  readonly aud: string[];
  readonly exp: number;
  readonly iat: number;
  readonly sub: string;
}

function claims(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
}
