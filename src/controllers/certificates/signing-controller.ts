import { untilAborted } from '../../client/index.ts';
import { type Clock, timestamp } from '../../meta/clock.ts';
import { goQuote } from '../../meta/go-quote.ts';
import type { Controller } from '../controller.ts';
import type { CertificateIssuer, IdentityReader } from './certificate-issuer.ts';
import { signerRules } from './signer-rules.ts';
import {
  conditionOf,
  isIssued,
  type SigningRequest,
  signingRequests,
  withCondition,
  writeRequest,
} from './signing-request.ts';

/** Issuers by signer name. Requests to other signers are ignored. */
export type CertificateIssuers = Readonly<Record<string, CertificateIssuer>>;

/**
 * Issues certificates for approved requests, or sets the condition Failed. Throws a RangeError for signers without
 * rules.
 */
export function signingController(issuers: CertificateIssuers, readIdentity: IdentityReader): Controller {
  const unknown = Object.keys(issuers).find((name) => !signerRules.has(name));
  if (unknown !== undefined) throw new RangeError(`unrecognized signerName: ${goQuote(unknown)}`);
  return {
    name: 'certificatesigningrequest-signing-controller',
    aliases: ['csrsigning'],

    async run(tools, signal) {
      const informer = tools.informers.informer<SigningRequest>(signingRequests);
      const complete = async (request: SigningRequest): Promise<void> => {
        const problem = problemOf(request, readIdentity);
        const completed =
          problem === undefined ? await issued(request, issuers) : failed(request, problem, tools.clock);
        await writeRequest(tools, completed, 'status');
      };
      const queue = tools.queue(async (name) => {
        const request = informer.get('', name);
        if (request !== undefined && isToBeSigned(request, issuers)) await complete(request);
      });
      const enqueue = (request: SigningRequest): void => {
        if (isToBeSigned(request, issuers)) queue.add(request.metadata.name ?? '');
      };
      informer.addHandler({ added: enqueue, updated: enqueue });
      await untilAborted(signal);
    },
  };
}

function isToBeSigned(request: SigningRequest, issuers: CertificateIssuers): boolean {
  if (!Object.hasOwn(issuers, request.spec.signerName) || isIssued(request)) return false;
  const has = (type: string): boolean => conditionOf(request, type) !== undefined;
  return has('Approved') && !has('Denied') && !has('Failed');
}

async function issued(request: SigningRequest, issuers: CertificateIssuers): Promise<SigningRequest> {
  const { spec, status } = request;
  const { usages = [], expirationSeconds } = spec;
  const pem = await issuers[spec.signerName]!.sign({ request: spec.request, usages, expirationSeconds });
  return { ...request, status: { ...status, certificate: Buffer.from(pem).toString('base64') } };
}

function failed(request: SigningRequest, message: string, clock: Clock): SigningRequest {
  const lastUpdateTime = timestamp(clock);
  return withCondition(request, { type: 'Failed', reason: 'SignerValidationFailure', message, lastUpdateTime });
}

function problemOf({ spec }: SigningRequest, readIdentity: IdentityReader): string | undefined {
  try {
    return signerRules.get(spec.signerName)!(readIdentity(spec.request), spec.usages ?? []);
  } catch (error) {
    return `unable to parse csr: ${(error as Error).message}`;
  }
}
