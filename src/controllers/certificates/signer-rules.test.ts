import { expect, it } from 'vitest';
import type { RequestedIdentity } from './certificate-issuer.ts';
import { signerRules, standardSigners } from './signer-rules.ts';

type Kind = 'dns' | 'email' | 'ip' | 'uri';

function identity(commonName: string, organizations: string[], ...names: Kind[]): RequestedIdentity {
  return { commonName, organizations, alternativeNames: new Set(names) };
}

const joe = identity('joe', ['dev']);
const node = (...names: Kind[]) => identity('system:node:n1', ['system:nodes'], ...names);
const client = ['digital signature', 'key encipherment', 'client auth'];
const serving = ['digital signature', 'key encipherment', 'server auth'];

it.each<[signer: string, identity: RequestedIdentity, usages: string[], problem: string | undefined]>([
  ['kube-apiserver-client', joe, ['client auth'], undefined],
  ['kube-apiserver-client', joe, client, undefined],
  ['kube-apiserver-client', joe, serving, 'invalid usage for client certificate: server auth'],
  ['kube-apiserver-client', joe, [], 'missing required usage for client certificate: client auth'],
  ['kube-apiserver-client', joe, ['digital signature'], 'missing required usage for client certificate: client auth'],
  ['kube-apiserver-client', joe, ['any', 'client auth'], 'invalid usage for client certificate: any'],
  ['kube-apiserver-client-kubelet', node(), client, undefined],
  ['kube-apiserver-client-kubelet', node(), ['client auth', 'digital signature'], undefined],
  ['kube-apiserver-client-kubelet', joe, client, 'subject organization is not system:nodes'],
  ['kube-apiserver-client-kubelet', identity('system:node:n1', []), client, 'subject organization is not system:nodes'],
  [
    'kube-apiserver-client-kubelet',
    identity('system:node:n1', ['system:nodes', 'system:masters']),
    client,
    'subject organization is not system:nodes',
  ],
  ['kube-apiserver-client-kubelet', node('dns', 'ip'), client, 'DNS subjectAltNames are not allowed'],
  ['kube-apiserver-client-kubelet', node('email', 'ip'), client, 'Email subjectAltNames are not allowed'],
  ['kube-apiserver-client-kubelet', node('ip', 'uri'), client, 'IP subjectAltNames are not allowed'],
  ['kube-apiserver-client-kubelet', node('uri'), client, 'URI subjectAltNames are not allowed'],
  [
    'kube-apiserver-client-kubelet',
    identity('n1', ['system:nodes']),
    client,
    'subject common name does not begin with system:node:',
  ],
  [
    'kube-apiserver-client-kubelet',
    node(),
    ['client auth'],
    'usages did not match [client auth digital signature key encipherment]',
  ],
  [
    'kube-apiserver-client-kubelet',
    node(),
    serving,
    'usages did not match [client auth digital signature key encipherment]',
  ],
  ['kubelet-serving', node('dns'), serving, undefined],
  ['kubelet-serving', node('ip'), ['server auth', 'digital signature'], undefined],
  ['kubelet-serving', node(), serving, 'DNS or IP subjectAltName is required'],
  ['kubelet-serving', node('email'), serving, 'DNS or IP subjectAltName is required'],
  ['kubelet-serving', node('dns', 'email', 'uri'), serving, 'Email subjectAltNames are not allowed'],
  ['kubelet-serving', node('dns', 'uri'), serving, 'URI subjectAltNames are not allowed'],
  ['kubelet-serving', joe, serving, 'subject organization is not system:nodes'],
  ['kubelet-serving', node('dns'), client, 'usages did not match [digital signature key encipherment server auth]'],
  [
    'kubelet-serving',
    identity('n1', ['system:nodes'], 'ip'),
    serving,
    'subject common name does not begin with system:node:',
  ],
  ['legacy-unknown', joe, ['any'], undefined],
])('%s: %o for %j', (signer, wanted, usages, problem) => {
  expect(signerRules.get(`kubernetes.io/${signer}`)!(wanted, usages)).toBe(problem);
});

it('does not enable legacy-unknown by default', () => {
  expect(standardSigners).toHaveLength(3);
  expect(standardSigners).not.toContain('kubernetes.io/legacy-unknown');
});
