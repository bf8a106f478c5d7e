import { ReviewFields } from '../../client/webhook/index.ts';
import { encodeJson } from '../../codec/json/index.ts';
import { goQuote } from '../../meta/go-quote.ts';

const group = 'apiextensions.k8s.io';
const kind = 'ConversionReview';

export type ReviewVersion = 'v1' | 'v1beta1';

export interface ConversionRequest {
  readonly version: ReviewVersion;
  readonly uid: string;
  readonly desiredApiVersion: string;
  /** JSON. */
  readonly objects: readonly string[];
}

/** The first version that the webhook understands and that is known here. */
export function reviewVersionOf(versions: readonly string[]): ReviewVersion | undefined {
  return versions.find((version): version is ReviewVersion => version === 'v1' || version === 'v1beta1');
}

/** The empty response is part of what kube-apiserver sends. */
export function conversionReview({ version, uid, desiredApiVersion, objects }: ConversionRequest): string {
  const request = `{"uid":"${uid}","desiredAPIVersion":${encodeJson(desiredApiVersion)},"objects":[${objects.join(',')}]}`;
  const response = '{"uid":"","convertedObjects":null,"result":{"metadata":{}}}';
  return `{"kind":"${kind}","apiVersion":"${group}/${version}","request":${request},"response":${response}}`;
}

/**
 * Returns the objects of a successful review, which are not checked yet. The Error it throws says why there are none.
 */
export function convertedObjects(
  review: Readonly<Record<string, unknown>>,
  { version, uid }: Pick<ConversionRequest, 'version' | 'uid'>,
): unknown[] {
  const fields = new ReviewFields(review, kind);
  // Webhooks of v1beta1 are not held to the type and the uid.
  if (version === 'v1') checkType(fields);
  const response = fields.object('response');
  if (response === undefined) throw new Error('no response provided');
  if (version === 'v1') {
    const received = response.text('uid');
    if (received !== uid) throw new Error(`expected response.uid=${goQuote(uid)}, got ${goQuote(received)}`);
  }
  const result = response.object('result');
  const status = result?.text('status') ?? '';
  if (status !== 'Success') {
    throw new Error(result?.text('message') || `response.result.status was '${status}', not 'Success'`);
  }
  return [...response.list('convertedObjects', '[]runtime.RawExtension')];
}

function checkType(review: ReviewFields): void {
  const [apiVersion, received] = [review.text('apiVersion'), review.text('kind')];
  if (apiVersion === `${group}/v1` && received === kind) return;
  const shown = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  throw new Error(`expected webhook response of ${group}/v1, Kind=${kind}, got ${shown}, Kind=${received}`);
}
