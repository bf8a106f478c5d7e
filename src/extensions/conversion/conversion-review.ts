import { encodeJson } from '../../codec/json/index.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { isObject, jsonTypeOf } from '../../schema/normalize/type-mismatch.ts';

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

/** Returns the objects of a successful review, which are not checked yet. The Error it throws says why there are none. */
export function convertedObjects(
  review: Readonly<Record<string, unknown>>,
  { version, uid }: Pick<ConversionRequest, 'version' | 'uid'>,
): unknown[] {
  // Webhooks of v1beta1 are not held to the type and the uid.
  if (version === 'v1') checkType(review);
  const response = review.response ?? undefined;
  if (response === undefined) throw new Error('no response provided');
  const fields = mapAt(response, 'response');
  if (version === 'v1') {
    const received = textAt(fields, 'uid');
    if (received !== uid) throw new Error(`expected response.uid=${goQuote(uid)}, got ${goQuote(received)}`);
  }
  const result = mapAt(fields.result ?? {}, 'response.result');
  const status = textAt(result, 'status');
  if (status !== 'Success') {
    throw new Error(textAt(result, 'message') || `response.result.status was '${status}', not 'Success'`);
  }
  const objects = fields.convertedObjects ?? [];
  if (!Array.isArray(objects)) throw wrongType(objects, 'response.convertedObjects', '[]runtime.RawExtension');
  return objects;
}

function checkType(review: Readonly<Record<string, unknown>>): void {
  const [apiVersion, received] = [textAt(review, 'apiVersion'), textAt(review, 'kind')];
  if (apiVersion === `${group}/v1` && received === kind) return;
  const shown = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  throw new Error(`expected webhook response of ${group}/v1, Kind=${kind}, got ${shown}, Kind=${received}`);
}

function mapAt(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw wrongType(value, path, 'object');
  return value;
}

function textAt(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name] ?? '';
  if (typeof value !== 'string') throw wrongType(value, name, 'string');
  return value;
}

function wrongType(value: unknown, path: string, expected: string): Error {
  return new Error(
    `json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field ${kind}.${path} of type ${expected}`,
  );
}
