import { describe, expect, it } from 'vitest';
import type { Authorizer } from '../../authz/index.ts';
import type { ObjectMeta } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { StatusError } from '../../meta/status-error.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { testRequest, testTarget } from '../test-request.conformance.ts';
import { clusterTrustBundleAttest } from './cluster-trust-bundle-attest.ts';
import { podCertificateSigning } from './pod-certificate-signing.ts';

const nothing: ObjectReader = { get: () => undefined, list: () => [] };
const signerName = 'example.com/own';

/** Allows one verb for one name. */
const allowing = (permission: string): Authorizer => ({
  authorize: ({ verb, resource }) => ({
    decision: `${verb} ${resource?.name}` === permission ? 'allow' : 'no-opinion',
    reason: '',
  }),
});

const kinds: Readonly<Record<string, string>> = {
  clustertrustbundles: 'ClusterTrustBundle',
  podcertificaterequests: 'PodCertificateRequest',
};

function judge(plugin: AdmissionPlugin, changes: Partial<AdmissionRequest>): unknown {
  const path = plugin.rules[0]!.resources[0]!;
  const request = testRequest(testTarget(path, kinds[path.split('/')[1]!]), {
    operation: changes.oldObject === undefined ? 'CREATE' : 'UPDATE',
    namespace: '',
    name: 'it',
    user: { name: 'jane', uid: '', groups: [], extra: {} },
    ...changes,
  });
  try {
    return plugin.validate!(request, nothing);
  } catch (error) {
    if (error instanceof StatusError) return `${error.status.code} ${error.message}`;
    throw error;
  }
}

describe('a trust bundle', () => {
  const bundle = (spec: object, metadata: ObjectMeta = {}) => ({ metadata: { name: 'it', ...metadata }, spec });
  const own = bundle({ signerName, trustBundle: 'a' });
  const refusal =
    '403 clustertrustbundles.certificates.k8s.io "it" is forbidden: user not permitted to attest for signerName "example.com/own"';
  const decide = (permission: string, changes: Partial<AdmissionRequest>) =>
    judge(clusterTrustBundleAttest(allowing(permission)), changes);

  it.each([
    ['of no signer', '', { object: bundle({ trustBundle: 'a' }) }, undefined],
    ['for the signer', 'attest example.com/own', { object: own }, undefined],
    ['for the domain', 'attest example.com/*', { object: own }, undefined],
    ['without permission', '', { object: own }, refusal],
    ['with another permission', 'sign example.com/own', { object: own }, refusal],
    ['of other content', '', { object: own, oldObject: bundle({ signerName, trustBundle: 'b' }) }, refusal],
    ['of other labels', '', { object: own, oldObject: bundle(own.spec, { labels: { a: 'b' } }) }, refusal],
    ['of other owners', '', { object: own, oldObject: bundle(own.spec, { finalizers: ['a/b'] }) }, undefined],
  ])('%s', (_what, permission, changes, message) => {
    expect(decide(permission, changes)).toBe(message);
  });
});

describe('a certificate for a pod', () => {
  const request = (certificateChain?: string) => ({
    metadata: { name: 'it' },
    spec: { signerName },
    status: { certificateChain },
  });
  const decide = (permission: string, chain: string | undefined) =>
    judge(podCertificateSigning(allowing(permission)), { object: request(chain), oldObject: request() });

  it('requires the permission to sign', () => {
    expect(decide('sign example.com/own', 'x')).toBeUndefined();
    expect(decide('sign example.com/*', 'x')).toBeUndefined();
    expect(decide('attest example.com/own', 'x')).toBe(
      '422 PodCertificateRequest.certificates.k8s.io "it" is invalid: spec.signerName: Forbidden: User "jane" is not permitted to "sign" for signer "example.com/own"',
    );
  });

  it('needs no permission when a request is denied', () => {
    expect(decide('', undefined)).toBeUndefined();
    expect(decide('', '')).toBeUndefined();
  });
});
