import { Backoff, untilAborted } from '../../client/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { Controller, ControllerTools } from '../controller.ts';
import type { IdentityReader, RequestedIdentity } from './certificate-issuer.ts';
import { kubeletClientProblem, kubeletClientSigner } from './signer-rules.ts';
import {
  conditionOf,
  isIssued,
  type SigningRequest,
  signingRequests,
  withCondition,
  writeRequest,
} from './signing-request.ts';

const reviews = { group: 'authorization.k8s.io', version: 'v1', resource: 'subjectaccessreviews' };
/** Permissions may be granted later, without an event that this controller sees. */
const retryBackoff = { initialMs: 200, maxMs: 1_000_000 };

/** Approves client certificates of kubelets when the requester is authorized for automatic approval. */
export function approvingController(readIdentity: IdentityReader): Controller {
  return {
    name: 'certificatesigningrequest-approving-controller',
    aliases: ['csrapproving'],

    async run(tools, signal) {
      const informer = tools.informers.informer<SigningRequest>(signingRequests);
      const waits = new Map<string, Backoff>();
      const queue = tools.queue(async (name) => {
        const request = informer.get('', name);
        const kinds = request === undefined ? [] : recognizedKinds(request, readIdentity);
        if (kinds.length === 0) return void waits.delete(name);
        const allowed = await firstAllowed(tools, request!, kinds);
        if (allowed === undefined) {
          const wait = waits.get(name) ?? new Backoff(retryBackoff);
          waits.set(name, wait);
          queue.addAfter(name, wait.next());
          return;
        }
        waits.delete(name);
        const approval = { type: 'Approved', reason: 'AutoApproved', message: allowed.message };
        await writeRequest(tools, withCondition(request!, approval), 'approval');
      });
      const enqueue = (request: SigningRequest): void => {
        if (isOpen(request)) queue.add(request.metadata.name ?? '');
      };
      informer.addHandler({ added: enqueue, updated: enqueue });
      await untilAborted(signal);
    },
  };
}

interface RecognizedKind {
  /** A requester that may create this subresource of CertificateSigningRequests gets the certificate. */
  readonly permission: string;
  readonly message: string;
}

const ownCertificate: RecognizedKind = {
  permission: 'selfnodeclient',
  message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
};
const anyCertificate: RecognizedKind = {
  permission: 'nodeclient',
  message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
};

function isOpen(request: SigningRequest): boolean {
  if (request.spec.signerName !== kubeletClientSigner || isIssued(request)) return false;
  return conditionOf(request, 'Approved') === undefined && conditionOf(request, 'Denied') === undefined;
}

/** The kinds as which the request may be approved, in the order of the access reviews. */
function recognizedKinds(request: SigningRequest, readIdentity: IdentityReader): RecognizedKind[] {
  if (!isOpen(request)) return [];
  const { usages = [], username } = request.spec;
  const identity = readOrNothing(request, readIdentity);
  if (identity === undefined || kubeletClientProblem(identity, usages) !== undefined) return [];
  return username === identity.commonName ? [ownCertificate, anyCertificate] : [anyCertificate];
}

/** Returns undefined for an unreadable request. If it is approved by someone else, the signer reports the problem. */
function readOrNothing({ spec }: SigningRequest, readIdentity: IdentityReader): RequestedIdentity | undefined {
  try {
    return readIdentity(spec.request);
  } catch {
    return undefined;
  }
}

async function firstAllowed(
  tools: ControllerTools,
  request: SigningRequest,
  kinds: readonly RecognizedKind[],
): Promise<RecognizedKind | undefined> {
  for (const kind of kinds) if (await mayHave(tools, request, kind)) return kind;
}

async function mayHave(
  { client }: ControllerTools,
  { spec }: SigningRequest,
  { permission }: RecognizedKind,
): Promise<boolean> {
  const { username: user, uid, groups, extra } = spec;
  const { group, resource } = signingRequests;
  const resourceAttributes = { group, resource, verb: 'create', subresource: permission };
  const review = { metadata: {}, spec: { user, uid, groups, extra, resourceAttributes } };
  const { status } = await client.resource<ResourceObject>(reviews).create(review);
  return (status as { allowed?: boolean } | undefined)?.allowed === true;
}
