import { ReviewFields } from '../../client/webhook/index.ts';
import { goQuote } from '../../meta/go-quote.ts';
import type { StatusCause, StatusDetails } from '../../meta/status-error.ts';
import type { ReviewIdentity } from './admission-review.ts';

const group = 'admission.k8s.io';
const kind = 'AdmissionReview';

/** The verdict of a webhook. */
export interface AdmissionResponse {
  readonly allowed: boolean;
  /** Why the request is not allowed. */
  readonly result: RejectionResult | undefined;
  /** Undefined when nothing changes. */
  readonly patch: Buffer | undefined;
  /** `JSONPatch`, or one that is not supported. */
  readonly patchType: string;
  readonly auditAnnotations: readonly (readonly [key: string, value: string])[];
  readonly warnings: readonly string[];
}

export interface RejectionResult {
  readonly message: string;
  readonly reason: string;
  readonly code: number;
  readonly details: StatusDetails | undefined;
}

/** The error for a review whose content is invalid. */
export class InvalidResponse extends Error {
  override readonly name = 'InvalidResponse';
}

interface Expected extends ReviewIdentity {
  /** Whether a patch is allowed. */
  readonly isMutating: boolean;
}

/**
 * Reads the response in a review. Throws an InvalidResponse, or another Error when the review cannot be read as one.
 * Webhooks of v1beta1 are not held to the type, the uid and the type of the patch.
 */
export function readAdmissionResponse(review: unknown, expected: Expected): AdmissionResponse {
  const fields = new ReviewFields(review, kind);
  checkConvertible(fields, expected);
  const response = fields.object('response');
  const read = response && responseOf(response);
  if (response === undefined || read === undefined) throw new InvalidResponse('webhook response was absent');
  if (expected.version === 'v1beta1') {
    return { ...read, patch: expected.isMutating ? read.patch : undefined, patchType: 'JSONPatch' };
  }
  checkIdentity(fields, response, expected);
  checkPatch(response, read, expected);
  return read;
}

function responseOf(response: ReviewFields): AdmissionResponse {
  const patch = bytesOf(response.text('patch'));
  return {
    allowed: response.flag('allowed'),
    result: resultOf(response.object('status')),
    patch: patch.length === 0 ? undefined : patch,
    patchType: response.text('patchType'),
    auditAnnotations: response.textMap('auditAnnotations'),
    warnings: response.texts('warnings'),
  };
}

/** A known type other than the expected one. Other types are only recognized by their fields. */
function checkConvertible(review: ReviewFields, { version }: ReviewIdentity): void {
  const apiVersion = review.text('apiVersion');
  const received = review.text('kind');
  const known = [`${group}/v1`, `${group}/v1beta1`];
  if (apiVersion === '' || received === '' || apiVersion === `${group}/${version}`) return;
  if (!known.includes(apiVersion)) {
    throw new Error(`no kind ${goQuote(received)} is registered for version ${goQuote(apiVersion)}`);
  }
  const from = apiVersion.slice(group.length + 1);
  throw new Error(`converting (${from}.${received}) to (${version}.${kind}): unknown conversion`);
}

function checkIdentity(review: ReviewFields, response: ReviewFields, { uid, version }: Expected): void {
  const received = response.text('uid');
  if (received !== uid) {
    throw new InvalidResponse(`expected response.uid=${goQuote(uid)}, got ${goQuote(received)}`);
  }
  const apiVersion = review.text('apiVersion');
  if (apiVersion === `${group}/${version}` && review.text('kind') === kind) return;
  const shown = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  throw new InvalidResponse(
    `expected webhook response of ${group}/${version}, Kind=${kind}, got ${shown}, Kind=${review.text('kind')}`,
  );
}

function checkPatch(response: ReviewFields, { patch, patchType }: AdmissionResponse, { isMutating }: Expected): void {
  const hasType = response.has('patchType');
  if (!isMutating) {
    if (patch !== undefined) throw new InvalidResponse('validating webhook may not return response.patch');
    if (hasType) throw new InvalidResponse('validating webhook may not return response.patchType');
    return;
  }
  if (patch !== undefined && !hasType) {
    throw new InvalidResponse('webhook returned response.patch but not response.patchType');
  }
  if (patch === undefined && hasType) {
    throw new InvalidResponse('webhook returned response.patchType but not response.patch');
  }
  if (hasType && patchType === '') throw new InvalidResponse('webhook returned invalid response.patchType of ""');
}

function bytesOf(base64: string): Buffer {
  const text = base64.replaceAll(/[\r\n]/g, '');
  const invalid = text.search(/[^A-Za-z0-9+/=]/);
  if (invalid !== -1 || text.length % 4 !== 0) {
    throw new Error(`illegal base64 data at input byte ${invalid === -1 ? text.length : invalid}`);
  }
  return Buffer.from(base64, 'base64');
}

function resultOf(status: ReviewFields | undefined): RejectionResult | undefined {
  if (status === undefined) return undefined;
  const details = status.object('details');
  return {
    message: status.text('message'),
    reason: status.text('reason'),
    code: status.integer('code'),
    details: details && detailsOf(details),
  };
}

function detailsOf(details: ReviewFields): StatusDetails {
  const [name, group, kind, uid] = ['name', 'group', 'kind', 'uid'].map((field) => details.text(field));
  const causes = details.objects('causes', '[]v1.StatusCause').map(causeOf);
  const retryAfterSeconds = details.integer('retryAfterSeconds');
  return {
    ...(name && { name }),
    ...(group && { group }),
    ...(kind && { kind }),
    ...(uid && { uid }),
    ...(causes.length > 0 && { causes }),
    ...(retryAfterSeconds !== 0 && { retryAfterSeconds }),
  };
}

function causeOf(cause: ReviewFields): StatusCause {
  const [reason, message, field] = ['reason', 'message', 'field'].map((name) => cause.text(name));
  return { ...(reason && { reason }), ...(message && { message }), ...(field && { field }) };
}
