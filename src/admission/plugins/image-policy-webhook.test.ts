import { describe, expect, it } from 'vitest';
import type { AdmissionRequest } from '../admission-request.ts';
import { testRequest, testTarget } from '../test-request.conformance.ts';
import { type ImagePolicyOptions, type ImageReviewSpec, imagePolicyWebhook } from './image-policy-webhook.ts';

const pods = testTarget('/pods', 'Pod');
const spec = { containers: [{ image: 'a' }], initContainers: [{ image: 'b' }], ephemeralContainers: [{ image: 'c' }] };

function backend(options: Partial<ImagePolicyOptions> = {}) {
  const reviewed: ImageReviewSpec[] = [];
  let now = 0;
  const plugin = imagePolicyWebhook({
    allowMs: 10,
    denyMs: 5,
    defaultAllow: false,
    now: () => now,
    ...options,
    review: async (review) => {
      reviewed.push(review);
      return (options.review ?? (async () => ({ allowed: true, reason: '', auditAnnotations: {} })))(review);
    },
  });
  const send = async (request: Partial<AdmissionRequest> = {}, target = pods): Promise<string> => {
    try {
      await plugin.validate!(testRequest(target, { object: { metadata: {}, spec }, ...request }), {} as never);
      return 'ok';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { reviewed, send, pass };
}

it('sends the images, the namespace and the annotations that are meant for the backend', async () => {
  const { reviewed, send } = backend();
  const annotations = { 'x.image-policy.k8s.io/ticket': '1', other: '2' };
  expect(await send({ object: { metadata: { annotations }, spec } })).toBe('ok');
  expect(await send({ operation: 'UPDATE' }, testTarget('/pods/ephemeralcontainers'))).toBe('ok');
  expect(reviewed).toEqual([
    {
      containers: [{ image: 'a' }, { image: 'b' }],
      annotations: { 'x.image-policy.k8s.io/ticket': '1' },
      namespace: 'ns',
    },
    { containers: [{ image: 'c' }], namespace: 'ns' },
  ]);
});

describe('an answer', () => {
  it.each<[reason: string, message: string]>([
    ['', 'one or more images rejected by webhook backend'],
    ['old', 'image policy webhook backend denied one or more images: old'],
  ])('refuses with the reason %j', async (reason, message) => {
    const { send } = backend({ review: async () => ({ allowed: false, reason, auditAnnotations: {} }) });
    expect(await send()).toBe(`pods "a" is forbidden: ${message}`);
  });

  it('is remembered for a time that depends on it', async () => {
    for (const [allowed, ttl] of [
      [true, 10],
      [false, 5],
    ] as const) {
      const { reviewed, send, pass } = backend({ review: async () => ({ allowed, reason: '', auditAnnotations: {} }) });
      await send();
      pass(ttl - 1);
      await send();
      expect(reviewed).toHaveLength(1);
      pass(1);
      await send();
      expect(reviewed).toHaveLength(2);
    }
  });

  it('annotates the audit event', async () => {
    const annotations: string[] = [];
    const { send } = backend({ review: async () => ({ allowed: true, reason: '', auditAnnotations: { k: 'v' } }) });
    await send({ annotate: (key, value) => void annotations.push(`${key}=${value}`) });
    expect(annotations).toEqual(['imagepolicywebhook.image-policy.k8s.io/k=v']);
  });
});

it('decides itself when there is no answer', async () => {
  const review = () => Promise.reject(new Error('no answer'));
  expect(await backend({ review }).send()).toBe('pods "a" is forbidden: no answer');
  const annotations: string[] = [];
  const annotate = (key: string, value: string): void => void annotations.push(`${key}=${value}`);
  expect(await backend({ review, defaultAllow: true }).send({ annotate })).toBe('ok');
  expect(annotations).toEqual(['imagepolicywebhook.image-policy.k8s.io/failed-open=true']);
});
