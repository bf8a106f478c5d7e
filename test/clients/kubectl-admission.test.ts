import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestKubectls } from '../../scripts/test-clients/kubectl.ts';
import { WebhookServer } from '../wire/webhook-server.ts';
import { KubectlApplySession } from './kubectl-apply-session.ts';

const kubectls = newestKubectls();
const apiVersion = 'admissionregistration.k8s.io/v1';
/** Without validation, which would make the server create its OpenAPI documents. */
const unvalidated = '--validate=false -f -';
const configMap = (name: string, data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] };

const policy = {
  apiVersion,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'no-passwords' },
  spec: {
    matchConstraints: { resourceRules: [rule] },
    validations: [
      { expression: "!has(object.data) || !('password' in object.data)", message: 'passwords belong into secrets' },
    ],
  },
};
const binding = {
  apiVersion,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'everywhere' },
  spec: { policyName: 'no-passwords', validationActions: ['Deny'] },
};
const refusal =
  /ValidatingAdmissionPolicy 'no-passwords' with binding 'everywhere' denied request: passwords belong into secrets/;

describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  let session: KubectlApplySession;
  let webhooks: WebhookServer;
  beforeAll(async () => {
    session = await KubectlApplySession.start(kubectl);
    webhooks = await WebhookServer.start();
  });
  afterAll(async () => {
    await session.stop();
    await webhooks.stop();
  });

  it('installs a policy that is in force at once', async () => {
    await session.out(`apply ${unvalidated}`, { input: [policy, binding] });
    const created = await session.use(`create ${unvalidated}`, { input: configMap('a', { password: 'x' }) });
    expect([created.code, created.stderr]).toEqual([1, expect.stringMatching(refusal)]);
    const applied = await session.use(`apply ${unvalidated}`, { input: configMap('a', { password: 'x' }) });
    expect([applied.code, applied.stderr]).toEqual([1, expect.stringMatching(refusal)]);
    const tried = await session.use(`create --dry-run=server ${unvalidated}`, {
      input: configMap('a', { password: 'x' }),
    });
    expect(tried.stderr).toMatch(refusal);
    expect(await session.out(`create ${unvalidated}`, { input: configMap('a', { user: 'x' }) })).toContain(
      'configmap/a created',
    );
  });

  it('shows the warnings of a policy', async () => {
    const path = `/apis/${apiVersion}/validatingadmissionpolicybindings/everywhere`;
    await session.api.patch(path, { spec: { validationActions: ['Warn'] } });
    const { code, stderr } = await session.use(`create ${unvalidated}`, { input: configMap('b', { password: 'x' }) });
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(
        "Warning: Validation failed for ValidatingAdmissionPolicy 'no-passwords' with binding 'everywhere': passwords belong into secrets",
      ),
    ]);
    await session.api.delete(path);
  });

  it('lets webhooks change, warn and deny', async () => {
    const webhook = (name: string, clientConfig: object) => ({
      name: `${name}.hook.example`,
      clientConfig,
      rules: [rule],
      sideEffects: 'NoneOnDryRun',
      admissionReviewVersions: ['v1'],
    });
    const configuration = (kind: string, clientConfig: object) => ({
      apiVersion,
      kind: `${kind}WebhookConfiguration`,
      metadata: { name: 'hooks' },
      webhooks: [webhook(kind.toLowerCase(), clientConfig)],
    });
    const labels = webhooks.clientConfigFor('label', { key: 'injected' });
    const warns = webhooks.clientConfigFor('respond', { warnings: ['be careful'] });
    await session.out(`apply ${unvalidated}`, {
      input: [configuration('Mutating', labels), configuration('Validating', warns)],
    });
    const { stderr } = await session.use(`create ${unvalidated}`, { input: configMap('c', {}) });
    expect(stderr).toContain('Warning: be careful');
    expect((await session.read('/api/v1/namespaces/default/configmaps/c')).metadata.labels).toEqual({ injected: 'x' });
    await webhooks.take();
    await session.out(`create --dry-run=server ${unvalidated}`, { input: configMap('d', {}) });
    const seen = await webhooks.take();
    expect(seen.map(({ review }) => review.request.dryRun)).toEqual([true, true]);
    const denies = webhooks.clientConfigFor('respond', { allowed: false, status: { message: 'not today' } });
    const { webhooks: denying } = configuration('Validating', denies);
    await session.api.patch(`/apis/${apiVersion}/validatingwebhookconfigurations/hooks`, { webhooks: denying });
    const denied = await session.use(`create ${unvalidated}`, { input: configMap('e', {}) });
    expect([denied.code, denied.stderr]).toEqual([
      1,
      expect.stringContaining('admission webhook "validating.hook.example" denied the request: not today'),
    ]);
  });
});
