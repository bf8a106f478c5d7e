import { describe, expect, it } from 'vitest';
import type { WebhookClient, WebhookClients } from '../../client/webhook/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { AdmissionChain } from '../admission-chain.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import type { ObjectSource } from '../object-source.ts';
import { testRequest, testTarget } from '../test-request.conformance.ts';
import { mutatingAdmissionWebhook } from './mutating-admission-webhook.ts';

const target = testTarget('/pods', 'Pod');
const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];

/** Returns the response of a webhook, given its address and the reviewed object. */
type Respond = (url: string, object: ResourceObject) => object;

async function chainOf(webhooks: readonly object[], respond: Respond, ...others: AdmissionPlugin[]) {
  const called: string[] = [];
  const post =
    (url: string): WebhookClient['post'] =>
    async ({ text }) => {
      const { apiVersion, kind, request } = JSON.parse(text);
      called.push(url);
      return { apiVersion, kind, response: { uid: request.uid, allowed: true, ...respond(url, request.object) } };
    };
  const clients = { get: ({ url = '' }) => ({ post: post(url) }) } as unknown as WebhookClients;
  const plugin = mutatingAdmissionWebhook({
    clients,
    authorizer: { authorize: () => ({ decision: 'allow' }) as never },
  });
  const stored = webhooks.map((webhook, index) => ({
    name: `${index}.hook.example`,
    rules,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    clientConfig: { url: String(index) },
    ...webhook,
  }));
  const source: ObjectSource = {
    get: () => undefined,
    list: () => [],
    follow: async (_type, follower) => {
      follower.onReset();
      follower.onPut({ metadata: { name: 'c' }, webhooks: stored });
      follower.onSynced?.();
    },
  };
  const chain = new AdmissionChain([...others, plugin], source);
  await chain.follow(source, { onError: () => {}, signal: new AbortController().signal });
  const mutate = async (request: Partial<AdmissionRequest> = {}) =>
    chain.mutate(testRequest(target, { object: { kind: 'Pod', apiVersion: 'v1', metadata: {} }, ...request }));
  return { mutate, called };
}

const patch = (...operations: object[]) => ({
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
  patchType: 'JSONPatch',
});
const nothing = () => ({});

describe('a mutating webhook', () => {
  it('is not called in a dry run if it has side effects', async () => {
    for (const sideEffects of ['Some', 'Unknown', undefined]) {
      const { mutate, called } = await chainOf([{ sideEffects, failurePolicy: 'Ignore' }], nothing);
      await expect(mutate({ dryRun: true })).rejects.toMatchObject({
        status: {
          code: 400,
          reason: 'BadRequest',
          message: 'admission webhook "0.hook.example" does not support dry run',
        },
      });
      await mutate();
      expect(called).toEqual(['0']);
    }
  });

  it('fails if it knows no version of reviews', async () => {
    const { mutate } = await chainOf([{ admissionReviewVersions: ['v9'] }], nothing);
    const problem = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)';
    await expect(mutate()).rejects.toThrow(`could not create admission objects: ${problem}`);
  });

  it('fails with another type of patch, as its failure policy says', async () => {
    const other = () => ({ ...patch({ op: 'add', path: '/a', value: 1 }), patchType: 'Other' });
    const strict = await chainOf([{}], other);
    await expect(strict.mutate()).rejects.toThrow(
      'Internal error occurred: failed calling webhook "0.hook.example": unsupported patch type "Other"',
    );
    const lenient = await chainOf([{ failurePolicy: 'Ignore' }], other);
    expect(await lenient.mutate()).not.toHaveProperty('a');
  });

  it('without rules is not called', async () => {
    const { mutate, called } = await chainOf([{ rules: [] }, { rules: undefined }], nothing);
    await mutate();
    expect(called).toEqual([]);
  });

  it('is called again after a built-in plugin has reacted to a change by another one', async () => {
    const reacting: AdmissionPlugin = {
      name: 'Reacting',
      rules: [{ operations: ['CREATE'], resources: ['*'] }],
      mutate: ({ object }) => {
        if (object.first !== undefined) object.reaction = true;
      },
    };
    const changing = (url: string, object: ResourceObject) =>
      url === '0' && object.first === undefined ? patch({ op: 'add', path: '/first', value: 1 }) : {};
    const { mutate, called } = await chainOf([{}, { reinvocationPolicy: 'IfNeeded' }], changing, reacting);
    expect(await mutate()).toMatchObject({ first: 1, reaction: true });
    expect(called).toEqual(['0', '1', '1']);
  });

  it('changes nothing with an empty patch, or one that makes the same object', async () => {
    for (const operations of [[], [{ op: 'test', path: '/kind', value: 'Pod' }]]) {
      const { mutate, called } = await chainOf([{ reinvocationPolicy: 'IfNeeded' }, {}], () => patch(...operations));
      await mutate();
      expect(called).toEqual(['0', '1']);
    }
  });
});
