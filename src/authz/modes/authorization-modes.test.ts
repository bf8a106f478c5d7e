import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type JsonServer, startJsonServer } from '../../client/test-json-server.conformance.ts';
import type { Attributes } from '../authorizer.ts';
import { parseAuthorizationConfiguration } from '../config/index.ts';
import { openWebhook } from '../webhook/index.ts';
import type { AuthorizationConfiguration } from './authorization-configuration.ts';
import { AuthorizationModes, type ConfigurableAuthorizer } from './authorization-modes.ts';
import { configurationOfModes } from './configuration-of-modes.ts';

const jane = { name: 'jane', uid: '', groups: ['dev'], extra: {} };
const master = { ...jane, groups: ['system:masters'] };
const attributes: Attributes = { user: jane, verb: 'get', path: '/' };
const flags = { version: 'v1', authorizedMs: 300_000, unauthorizedMs: 30_000, kubeConfigFile: undefined } as const;

const roles: ConfigurableAuthorizer = {
  authorize: () => ({ decision: 'no-opinion', reason: 'no role' }),
  rulesFor: () => ({
    resourceRules: [{ verbs: ['get'] }],
    nonResourceRules: [],
    incomplete: false,
    evaluationError: '',
  }),
};

function modes(names: string[], factories: Record<string, () => ConfigurableAuthorizer> = {}): AuthorizationModes {
  return new AuthorizationModes(configurationOfModes(names, flags), {
    factories,
    openWebhook: (webhook, name) => openWebhook(webhook, { name }),
  });
}

function configured(authorizers: unknown[]): AuthorizationConfiguration {
  const head = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration' };
  return parseAuthorizationConfiguration(Buffer.from(JSON.stringify({ ...head, authorizers })));
}

function kubeconfigOf(server: JsonServer): string {
  const directory = mkdtempSync(join(tmpdir(), 'modes-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'config');
  const ca = Buffer.from(server.authority.cert).toString('base64');
  const config = {
    clusters: [{ name: 'c', cluster: { server: server.url.href, 'certificate-authority-data': ca } }],
    contexts: [{ name: 'x', context: { cluster: 'c' } }],
    'current-context': 'x',
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

function webhook(kubeConfigFile: string): object {
  return {
    type: 'Webhook',
    name: 'w',
    webhook: {
      timeout: '3s',
      subjectAccessReviewVersion: 'v1',
      failurePolicy: 'Deny',
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile },
    },
  };
}

it('asks the modes in order, after the masters', () => {
  const chain = modes(['RBAC', 'AlwaysDeny'], { RBAC: () => roles });
  expect(chain.authorize(attributes)).toEqual({ decision: 'no-opinion', reason: 'no role\nEverything is forbidden.' });
  expect(chain.authorize({ ...attributes, user: master })).toMatchObject({ decision: 'allow' });
  expect(modes(['RBAC', 'AlwaysAllow'], { RBAC: () => roles }).authorize(attributes)).toMatchObject({
    decision: 'allow',
  });
});

it('combines the rules of all modes and reports those that cannot list theirs', () => {
  const node: ConfigurableAuthorizer = { authorize: () => ({ decision: 'no-opinion', reason: '' }) };
  const chain = modes(['Node', 'RBAC', 'AlwaysAllow'], { Node: () => node, RBAC: () => roles });
  expect(chain.rulesFor(jane, 'a')).toEqual({
    resourceRules: [{ verbs: ['get'] }, { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: true,
    evaluationError: 'node authorizer does not support user rule resolution',
  });
});

it('refuses an unavailable type', () => {
  for (const type of ['ABAC', 'Node', 'RBAC']) {
    expect(() => modes([type])).toThrow(new RangeError(`authorizer type ${type} is not available in this server`));
  }
});

it('switches to another configuration and ignores an unusable one', () => {
  let made = 0;
  const chain = modes(['AlwaysAllow'], {
    RBAC: () => {
      made++;
      return roles;
    },
  });
  const bad = [configured([{ type: 'ABAC', name: 'abac' }]), configured([webhook(import.meta.filename)])];
  for (const configuration of bad) expect(() => chain.replace(configuration)).toThrow(RangeError);
  expect(chain.authorize(attributes)).toMatchObject({ decision: 'allow' });
  chain.replace(configured([{ type: 'RBAC', name: 'rbac' }]));
  expect(chain.authorize(attributes)).toEqual({ decision: 'no-opinion', reason: 'no role' });
  chain.replace(
    configured([
      { type: 'AlwaysDeny', name: 'alwaysdeny' },
      { type: 'RBAC', name: 'rbac' },
    ]),
  );
  expect(chain.configuration.authorizers).toHaveLength(2);
  expect(made).toBe(1);
});

it('keeps the cache of a webhook when the configuration is equal', async () => {
  const server = await startJsonServer({ responses: [{ status: { allowed: true } }] });
  const hook = webhook(kubeconfigOf(server));
  const chain = modes(['AlwaysDeny']);
  onTestFinished(() => chain.close());
  chain.replace(configured([hook]));
  expect(await chain.authorize(attributes)).toMatchObject({ decision: 'allow' });
  chain.replace(configured([hook]));
  expect(chain.authorize(attributes)).toMatchObject({ decision: 'allow' });
  expect(server.seen).toHaveLength(1);
  chain.replace(configured([hook, { type: 'AlwaysDeny', name: 'alwaysdeny' }]));
  expect(await chain.authorize(attributes)).toMatchObject({ decision: 'allow' });
  expect(server.seen).toHaveLength(2);
});

it('completes a pending call of a webhook that is removed from the configuration', async () => {
  let respond = (): void => {};
  const called = Promise.withResolvers<void>();
  const server = await startJsonServer({
    responses: [
      (response) => {
        respond = () => void response.end(JSON.stringify({ status: { allowed: true, reason: 'old' } }));
        called.resolve();
      },
    ],
  });
  const chain = modes(['AlwaysDeny']);
  chain.replace(configured([webhook(kubeconfigOf(server))]));
  const decision = chain.authorize(attributes);
  await called.promise;
  chain.replace(configured([{ type: 'AlwaysDeny', name: 'alwaysdeny' }]));
  respond();
  expect(await decision).toEqual({ decision: 'allow', reason: 'old' });
});
