import type { RequestedIdentity } from './certificate-issuer.ts';

export const clientSigner = 'kubernetes.io/kube-apiserver-client';
export const kubeletClientSigner = 'kubernetes.io/kube-apiserver-client-kubelet';
export const kubeletServingSigner = 'kubernetes.io/kubelet-serving';

/** The signers that are enabled by default. */
export const standardSigners: readonly string[] = [clientSigner, kubeletClientSigner, kubeletServingSigner];

/** Returns why the signer refuses the request; undefined when it would sign it. */
type SignerRule = (identity: RequestedIdentity, usages: readonly string[]) => string | undefined;

/** The rules of all known signers. */
export const signerRules: ReadonlyMap<string, SignerRule> = new Map<string, SignerRule>([
  [clientSigner, (_identity, usages) => clientUsageProblem(usages)],
  [kubeletClientSigner, kubeletClientProblem],
  [kubeletServingSigner, kubeletServingProblem],
  // This signer has no rules.
  ['kubernetes.io/legacy-unknown', () => undefined],
]);

const clientUsages: ReadonlySet<string> = new Set(['digital signature', 'key encipherment', 'client auth']);

function clientUsageProblem(usages: readonly string[]): string | undefined {
  const foreign = usages.find((usage) => !clientUsages.has(usage));
  if (foreign !== undefined) return `invalid usage for client certificate: ${foreign}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}

/** Automatic approval uses the same rule. */
export function kubeletClientProblem(identity: RequestedIdentity, usages: readonly string[]): string | undefined {
  const { alternativeNames, commonName } = identity;
  if (!isOfNodes(identity)) return notOfNodes;
  if (alternativeNames.has('dns')) return 'DNS subjectAltNames are not allowed';
  if (alternativeNames.has('email')) return 'Email subjectAltNames are not allowed';
  if (alternativeNames.has('ip')) return 'IP subjectAltNames are not allowed';
  if (alternativeNames.has('uri')) return 'URI subjectAltNames are not allowed';
  return nodeNameProblem(commonName) ?? kubeletUsageProblem(usages, 'client auth');
}

function kubeletServingProblem(identity: RequestedIdentity, usages: readonly string[]): string | undefined {
  const { alternativeNames, commonName } = identity;
  if (!isOfNodes(identity)) return notOfNodes;
  if (!alternativeNames.has('dns') && !alternativeNames.has('ip')) return 'DNS or IP subjectAltName is required';
  if (alternativeNames.has('email')) return 'Email subjectAltNames are not allowed';
  if (alternativeNames.has('uri')) return 'URI subjectAltNames are not allowed';
  return kubeletUsageProblem(usages, 'server auth') ?? nodeNameProblem(commonName);
}

const notOfNodes = 'subject organization is not system:nodes';

function isOfNodes({ organizations }: RequestedIdentity): boolean {
  return organizations.length === 1 && organizations[0] === 'system:nodes';
}

function nodeNameProblem(commonName: string): string | undefined {
  return commonName.startsWith('system:node:') ? undefined : 'subject common name does not begin with system:node:';
}

/** `key encipherment` is optional, because only RSA keys support it. */
function kubeletUsageProblem(usages: readonly string[], purpose: 'client auth' | 'server auth'): string | undefined {
  const required = ['digital signature', purpose];
  const allowed = new Set([...required, 'key encipherment']);
  const isRight = required.every((usage) => usages.includes(usage)) && usages.every((usage) => allowed.has(usage));
  return isRight ? undefined : `usages did not match [${[...allowed].sort().join(' ')}]`;
}
